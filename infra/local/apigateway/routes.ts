import type { Declared } from './declared-resources.ts';
import type { ApiResource } from './resource-properties.ts';

/** A resource in the tree of an API. Its children have one more path segment. */
export interface RouteNode<Method> {
  readonly resourceId: string;
  /** For example /v1/pets/{petId}, and / for the root. */
  readonly resourcePath: string;
  readonly methods: Map<string, Method>;
  readonly literals: Map<string, RouteNode<Method>>;
  /** The child {name}, which matches one segment. */
  parameter?: RouteNode<Method>;
  /** The child {name+}, which matches all remaining segments, at least one. */
  proxy?: RouteNode<Method>;
}

/** The resource that serves a path, and the values of its path parameters, percent-encoded. */
export interface Route<Method> {
  readonly node: RouteNode<Method>;
  readonly pathParameters: readonly (readonly [name: string, value: string])[];
}

const ANY_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Builds the tree of an API and returns its nodes by resource id. The id of the root is `<apiId>-root`. */
export function routeNodes<Method>(
  apiId: string,
  resources: readonly Declared<ApiResource>[],
): ReadonlyMap<string, RouteNode<Method>> {
  const nodes = new Map<string, RouteNode<Method>>([[`${apiId}-root`, newNode(`${apiId}-root`, '/')]]);
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

function addNode<Method>(nodes: Map<string, RouteNode<Method>>, resource: Declared<ApiResource>): void {
  const { ParentId, PathPart } = resource.properties;
  const parent = nodes.get(ParentId) as RouteNode<Method>;
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
  const node = newNode<Method>(resource.physicalId, `${parentPath}/${PathPart}`);
  nodes.set(resource.physicalId, node);
  if (kind === 'literal') parent.literals.set(PathPart, node);
  else parent[kind] = node;
}

function newNode<Method>(resourceId: string, resourcePath: string): RouteNode<Method> {
  return { resourceId, resourcePath, methods: new Map(), literals: new Map() };
}

/**
 * Finds the resource that serves a path, segment by segment: the literal child, else {name}, else {name+}. An empty segment
 * is matched by {name+} only. Whether API Gateway falls back to a less specific resource when the chosen branch has no
 * match is not documented: here it does not.
 */
export function findRoute<Method>(
  node: RouteNode<Method>,
  segments: readonly string[],
): Route<Method> | undefined {
  const [segment, ...rest] = segments;
  if (segment === undefined) return node.methods.size > 0 ? { node, pathParameters: [] } : undefined;
  const literal = node.literals.get(segment);
  if (literal !== undefined) return findRoute(literal, rest);
  const { parameter, proxy } = node;
  if (parameter !== undefined && segment !== '') {
    return withParameter(findRoute(parameter, rest), parameter, segment);
  }
  return proxy && withParameter(findRoute(proxy, []), proxy, segments.join('/'));
}

function withParameter<Method>(
  route: Route<Method> | undefined,
  { resourcePath }: RouteNode<Method>,
  value: string,
): Route<Method> | undefined {
  const name = /\{([^{}+]+)\+?\}$/.exec(resourcePath)?.[1] ?? '';
  return route && { ...route, pathParameters: [[name, value], ...route.pathParameters] };
}

/** The method of a resource for an HTTP method: the one of that name, otherwise ANY. */
export function findMethod<Method>(node: RouteNode<Method>, httpMethod: string): Method | undefined {
  if (!ANY_METHODS.has(httpMethod)) return undefined;
  return node.methods.get(httpMethod) ?? node.methods.get('ANY');
}
