/**
 * Replaces the SDK's endpoint discovery in the bundles. DynamoDB does not need it, but its client has a cache for it: 9 KB.
 */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};

export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}
