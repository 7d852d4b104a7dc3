/**
 * Replaces the SDK's event streams in the bundles. No DynamoDB operation has one, but the SDK imports them on demand,
 * and for that esbuild would wrap half the SDK so that it can be loaded later: 19 KB and 7 ms of a cold start.
 */
export {};
