// No operation that is used here has an event stream, but the SDK imports them on demand, and for that esbuild would wrap
// half the SDK so that it can be loaded later.
export {};
