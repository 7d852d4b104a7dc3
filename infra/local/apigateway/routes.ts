import type { ApiResource, Declared } from './declared-resources.ts';
import type { Exchange, HttpResponse } from './exchange.ts';
import type { IssuedApiKey } from './gateway-services.ts';
import type { Authorization, TokenAuthorizer } from './token-authorizer.ts';

/** A method of a resource with its authorizer and its integration. */
export interface ApiMethod {
  readonly authorizer: TokenAuthorizer | undefined;
  readonly apiKeyRequired: boolean;
  readonly integrate: Integrate;
}

/** A request that is routed to a method and authorized. */
export interface MethodRequest {
  readonly exchange: Exchange;
  readonly deploymentId: string | undefined;
  readonly resourceId: string;
  readonly resourcePath: string;
  /** The path parameters, percent-encoded. */
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
  readonly queryParameters: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** Whether the API has binary media types: functions then receive and return bodies in base64. */
  readonly isBinaryApi: boolean;
  /** Undefined when the method has no authorizer. */
  readonly authorization: Authorization | undefined;
  /** Undefined when the method requires no API key. */
  readonly apiKey: IssuedApiKey | undefined;
}

/** The integration of a method. Throws a GatewayFault when the gateway itself must respond. */
export type Integrate = (request: MethodRequest) => Promise<HttpResponse>;

/** A resource in the tree of an API. Its children have one more path segment. */
export interface RouteNode {
  readonly resourceId: string;
  /** For example /v1/pets/{petId}, and / for the root. */
  readonly resourcePath: string;
  readonly methods: Map<string, ApiMethod>;
  readonly literals: Map<string, RouteNode>;
  /** The child {name}, which matches one segment. */
  parameter?: RouteNode;
  /** The child {name+}, which matches all remaining segments, at least one. */
  proxy?: RouteNode;
}

/** The resource that serves a path, and the values of its path parameters, percent-encoded. */
export interface Route {
  readonly node: RouteNode;
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
}

const ANY_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Builds the tree of an API and returns its nodes by resource id. The id of the root is `<apiId>-root`. */
export function routeNodes(
  apiId: string,
  resources: readonly Declared<ApiResource>[],
): ReadonlyMap<string, RouteNode> {
  const nodes = new Map<string, RouteNode>([[`${apiId}-root`, newNode(`${apiId}-root`, '/')]]);
  // In a template, a parent may come after its children.
  let waiting = resources;
  while (waiting.length > 0) {
    const ready = waiting.filter(({ properties }) => nodes.has(properties.ParentId));
    if (ready.length === 0) waiting[0]?.refuse('its parent resource is not in the same API');
    waiting = waiting.filter(resource => !ready.includes(resource));
    for (const resource of ready) addNode(nodes, resource);
  }
  return nodes;
}

function addNode(nodes: Map<string, RouteNode>, resource: Declared<ApiResource>): void {
  const { ParentId, PathPart } = resource.properties;
  const parent = nodes.get(ParentId) as RouteNode;
  if (parent.resourcePath.endsWith('+}')) {
    resource.refuse(`it is a child of ${parent.resourcePath}, which matches all that follows`);
  }
  const kind = PathPart.endsWith('+}') ? 'proxy' : PathPart.startsWith('{') ? 'parameter' : 'literal';
  // A parent has one child with a variable path part, be it {name} or {name+}.
  const isTaken =
    kind === 'literal'
      ? parent.literals.has(PathPart)
      : parent.parameter !== undefined || parent.proxy !== undefined;
  if (isTaken) {
    resource.refuse(`another resource with the same parent already has a path part like ${PathPart}`);
  }
  const parentPath = parent.resourcePath === '/' ? '' : parent.resourcePath;
  const node = newNode(resource.physicalId, `${parentPath}/${PathPart}`);
  nodes.set(resource.physicalId, node);
  if (kind === 'literal') parent.literals.set(PathPart, node);
  else parent[kind] = node;
}

function newNode(resourceId: string, resourcePath: string): RouteNode {
  return { resourceId, resourcePath, methods: new Map(), literals: new Map() };
}

/**
 * Finds the resource that serves a path: the literal child, else {name}, else {name+}, and a less specific one if the more
 * specific one has no match or doesn't serve the request. An empty segment is matched by {name+} only; whether also by
 * {name} isn't known.
 */
export function findRoute(
  node: RouteNode,
  segments: readonly string[],
  isServed = ({ methods }: RouteNode) => methods.size > 0,
): Route | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return isServed(node) ? { node, pathParameters: [] } : undefined;
  const literal = node.literals.get(segment);
  const parameter = segment === '' ? undefined : node.parameter;
  return (
    (literal && findRoute(literal, rest, isServed)) ??
    (parameter && withParameter(findRoute(parameter, rest, isServed), parameter, segment)) ??
    (node.proxy && withParameter(findRoute(node.proxy, [], isServed), node.proxy, segments.join('/')))
  );
}

function withParameter(
  route: Route | undefined,
  { resourcePath }: RouteNode,
  value: string,
): Route | undefined {
  const name = /\{([^{}+]+)\+?\}$/.exec(resourcePath)?.[1] ?? '';
  return route && { ...route, pathParameters: [[name, value], ...route.pathParameters] };
}

/** The method of a resource for an HTTP method: the one of that name, otherwise ANY. */
export function findMethod(node: RouteNode, httpMethod: string): ApiMethod | undefined {
  if (!ANY_METHODS.has(httpMethod)) return undefined;
  return node.methods.get(httpMethod) ?? node.methods.get('ANY');
}
