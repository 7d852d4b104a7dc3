/** DynamoDB does not need endpoint discovery, but its client has a cache for it. */
export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = {};

export function resolveEndpointDiscoveryConfig<Config>(config: Config): Config {
  return config;
}
