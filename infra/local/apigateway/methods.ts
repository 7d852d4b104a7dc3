import type { Declared } from './declared-resources.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { Integrate } from './integration.ts';
import { mockIntegration } from './mock-integration.ts';
import { proxyIntegration } from './proxy-integration.ts';
import type { ApiResource, Method } from './resource-properties.ts';
import { type RouteNode, routeNodes } from './routes.ts';
import type { TokenAuthorizer } from './token-authorizer.ts';

/** A method of a resource with its authorizer and its integration. */
export interface ApiMethod {
  readonly operationName: string | undefined;
  readonly authorizer: TokenAuthorizer | undefined;
  readonly apiKeyRequired: boolean;
  readonly integrate: Integrate;
}

/** Builds the tree of an API's resources with their methods and returns its root. */
export function apiMethods(
  apiId: string,
  resources: readonly Declared<ApiResource>[],
  methods: readonly Declared<Method>[],
  authorizers: ReadonlyMap<string, TokenAuthorizer>,
  services: GatewayServices,
): RouteNode<ApiMethod> {
  const nodes = routeNodes<ApiMethod>(apiId, resources);
  for (const method of methods) {
    const { ResourceId, HttpMethod, OperationName, ApiKeyRequired, Integration } = method.properties;
    const node = nodes.get(ResourceId) ?? method.refuse('its resource is not in the same API');
    if (node.methods.has(HttpMethod)) method.refuse(`its resource already has a method ${HttpMethod}`);
    node.methods.set(HttpMethod, {
      operationName: OperationName,
      authorizer: authorizerOf(method, authorizers),
      apiKeyRequired: ApiKeyRequired,
      integrate: Integration.Type === 'MOCK' ? mockIntegration(method) : proxyIntegration(method, services),
    });
  }
  return nodes.get(`${apiId}-root`) as RouteNode<ApiMethod>;
}

function authorizerOf(
  { properties, refuse }: Declared<Method>,
  authorizers: ReadonlyMap<string, TokenAuthorizer>,
): TokenAuthorizer | undefined {
  const { AuthorizationType, AuthorizerId } = properties;
  if (AuthorizationType === 'NONE') return undefined;
  return authorizers.get(AuthorizerId ?? '') ?? refuse('its authorizer is not in the same API');
}
