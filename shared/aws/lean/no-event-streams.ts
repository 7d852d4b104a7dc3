// No operation used here has an event stream, but the SDK imports them on demand, so esbuild would wrap half the SDK to make
// it loadable later.
export {};
