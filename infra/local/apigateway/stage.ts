import type { IncomingMessage } from 'node:http';
import { type Throttle, throttle } from '../aws-api/rate-limits.ts';
import { contextText } from './context-variables.ts';
import type {
  ApiResource,
  Declared,
  DeclaredResources,
  Method,
  Stage as StageProperties,
} from './declared-resources.ts';
import {
  ClientGone,
  decodedBody,
  type Exchange,
  type HttpResponse,
  headerValue,
  pathSegments,
  queryParameters,
  requestBody,
  requireHeadersWithinLimit,
} from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { type GatewayResponses, gatewayResponses } from './gateway-responses.ts';
import { executeApiArn, type GatewayServices } from './gateway-services.ts';
import { mockIntegration } from './mock-integration.ts';
import { proxyIntegration } from './proxy-integration.ts';
import { findMethod, findRoute, type RouteNode, routeNodes } from './routes.ts';
import { type TokenAuthorizer, tokenAuthorizer } from './token-authorizer.ts';
import { apiKeyRequirement, isForStage, type RequireApiKey, type UsagePlan } from './usage-plans.ts';

/** A deployed stage of an API. */
export interface Stage {
  readonly apiId: string;
  readonly stageName: string;
  /** Serves a request, with a gateway response if it fails; undefined when the client has disconnected. */
  serve(exchange: Exchange, request: IncomingMessage): Promise<HttpResponse | undefined>;
  readonly log: AccessLog;
  /** Makes the gateway's own responses. */
  readonly respond: GatewayResponses;
  flushAuthorizersCache(): void;
}

interface StageParts {
  readonly deploymentId: string | undefined;
  readonly root: RouteNode;
  readonly authorizers: ReadonlyMap<string, TokenAuthorizer>;
  readonly respond: GatewayResponses;
  readonly throttles: MethodThrottles;
  readonly isBinaryApi: boolean;
  readonly requireApiKey: RequireApiKey;
  readonly services: GatewayServices;
}

/** Builds a stage of the declared resources, and rejects those that contradict each other. */
export function stage(
  declared: Declared<StageProperties>,
  resources: DeclaredResources,
  usagePlans: readonly UsagePlan[],
  services: GatewayServices,
): Stage {
  const { RestApiId: apiId, StageName: stageName, MethodSettings } = declared.properties;
  const ofApi = <P extends { RestApiId: string }>(all: readonly Declared<P>[]) =>
    all.filter(({ properties }) => properties.RestApiId === apiId);
  const authorizers = new Map(
    ofApi(resources.authorizers).map(authorizer => [
      authorizer.physicalId,
      tokenAuthorizer(authorizer, services),
    ]),
  );
  const parts: StageParts = {
    deploymentId: declared.properties.DeploymentId,
    root: apiMethods(apiId, ofApi(resources.resources), ofApi(resources.methods), authorizers, services),
    authorizers,
    respond: gatewayResponses(ofApi(resources.gatewayResponses)),
    throttles: methodThrottles(MethodSettings, services.now),
    isBinaryApi: resources.restApis.some(
      ({ physicalId, properties }) => physicalId === apiId && properties.BinaryMediaTypes !== undefined,
    ),
    requireApiKey: apiKeyRequirement(
      usagePlans.filter(plan => isForStage(plan, apiId, stageName)),
      services,
    ),
    services,
  };
  return {
    apiId,
    stageName,
    log: accessLog(declared, services),
    respond: parts.respond,
    async serve(exchange, request) {
      try {
        return await serveRequest(exchange, request, parts);
      } catch (error) {
        if (error instanceof ClientGone) return undefined;
        return parts.respond(error instanceof GatewayFault ? error : unexpected(error), exchange);
      }
    },
    flushAuthorizersCache() {
      for (const authorizer of authorizers.values()) authorizer.flush();
    },
  };
}

/** An error of the local AWS itself: the client gets a 500, and the error is reported as a warning. */
function unexpected(error: unknown): GatewayFault {
  process.emitWarning(error instanceof Error ? error : String(error));
  return new GatewayFault('DEFAULT_5XX', { cause: error });
}

/**
 * API Gateway treats a request that no method matches as one that is signed for IAM. Which gateway response an
 * Authorization header that isn't a signature gets isn't documented; here it is that of a wrong signature.
 */
function unsignedRequest({ headers }: Exchange): GatewayFault {
  const authorization = headerValue(headers, 'Authorization');
  if (authorization === undefined) return new GatewayFault('MISSING_AUTHENTICATION_TOKEN');
  const clientMessage = `'${authorization}' not a valid key=value pair (missing equal-sign) in Authorization header.`;
  return new GatewayFault('INVALID_SIGNATURE', { clientMessage });
}

async function serveRequest(
  exchange: Exchange,
  request: IncomingMessage,
  parts: StageParts,
): Promise<HttpResponse> {
  const sent = await requestBody(request);
  requireHeadersWithinLimit(exchange);
  const segments = pathSegments(exchange.path);
  const parameters = queryParameters(exchange.query);
  const methodOf = (node: RouteNode) => findMethod(node, exchange.httpMethod);
  const route = findRoute(parts.root, segments, node => methodOf(node) !== undefined);
  const method = route && methodOf(route.node);
  if (route === undefined || method === undefined) throw unsignedRequest(exchange);

  const { resourceId, resourcePath } = route.node;
  exchange.variables.set('resourceId', resourceId);
  exchange.variables.set('resourcePath', resourcePath);
  if (!parts.throttles(resourcePath, exchange.httpMethod)()) throw new GatewayFault('THROTTLED');

  const { apiId, stageName, httpMethod } = exchange;
  const methodArn = `${executeApiArn(parts.services, apiId)}/${stageName}/${httpMethod}/${segments.join('/')}`;
  const authorization = await method.authorizer?.authorize(exchange, methodArn);
  // After the authorizer, so that nobody without a key makes this process decompress.
  const body = await decodedBody(sent, exchange.headers);
  return method.integrate({
    exchange,
    deploymentId: parts.deploymentId,
    resourceId,
    resourcePath,
    pathParameters: route.pathParameters,
    queryParameters: parameters,
    body,
    isBinaryApi: parts.isBinaryApi,
    authorization,
    apiKey: method.apiKeyRequired
      ? parts.requireApiKey(authorization?.usageIdentifierKey, exchange.variables)
      : undefined,
  });
}

/** Builds the tree of an API's resources with their methods and returns its root. */
function apiMethods(
  apiId: string,
  resources: readonly Declared<ApiResource>[],
  methods: readonly Declared<Method>[],
  authorizers: ReadonlyMap<string, TokenAuthorizer>,
  services: GatewayServices,
): RouteNode {
  const nodes = routeNodes(apiId, resources);
  for (const method of methods) {
    const { ResourceId, HttpMethod, ApiKeyRequired, Integration } = method.properties;
    const node = nodes.get(ResourceId) ?? method.refuse('its resource is not in the same API');
    if (node.methods.has(HttpMethod)) method.refuse(`its resource already has a method ${HttpMethod}`);
    node.methods.set(HttpMethod, {
      authorizer: authorizerOf(method, authorizers),
      apiKeyRequired: ApiKeyRequired,
      integrate: Integration.Type === 'MOCK' ? mockIntegration(method) : proxyIntegration(method, services),
    });
  }
  return nodes.get(`${apiId}-root`) as RouteNode;
}

function authorizerOf(
  { properties, refuse }: Declared<Method>,
  authorizers: ReadonlyMap<string, TokenAuthorizer>,
): TokenAuthorizer | undefined {
  const { AuthorizationType, AuthorizerId } = properties;
  if (AuthorizationType === 'NONE') return undefined;
  return authorizers.get(AuthorizerId ?? '') ?? refuse('its authorizer is not in the same API');
}

/** The throttle of a method, by the method of the request where it is ANY. */
type MethodThrottles = (resourcePath: string, httpMethod: string) => Throttle;

function methodThrottles(settings: StageProperties['MethodSettings'], now: () => number): MethodThrottles {
  const settingOf = new Map(
    settings.map(setting => [`${setting.HttpMethod} ${setting.ResourcePath}`, setting]),
  );
  const throttles = new Map<string, Throttle>();
  return (resourcePath, httpMethod) => {
    // The root is a slash alone.
    const encoded = resourcePath === '/' ? '/' : `/${resourcePath.replaceAll('/', '~1')}`;
    const method = `${httpMethod} ${encoded}`;
    const known = throttles.get(method);
    if (known) return known;
    const { ThrottlingRateLimit: ratePerSecond, ThrottlingBurstLimit: burst } =
      settingOf.get(method) ?? settingOf.get(`* ${encoded}`) ?? settingOf.get('* /*') ?? {};
    const own = throttle({ ratePerSecond, burst }, now);
    throttles.set(method, own);
    return own;
  };
}

/** Writes one line for a request. */
type AccessLog = (exchange: Exchange, response: HttpResponse) => void;

/** The access log of a stage in the stage's own format. A variable without a value is written as `-`. */
function accessLog({ properties, refuse }: Declared<StageProperties>, services: GatewayServices): AccessLog {
  if (properties.AccessLogSetting === undefined) return () => {};
  const { DestinationArn, Format } = properties.AccessLogSetting;
  const line = contextText(Format, 'the access log format', '-', refuse);
  return ({ variables, startedAtMs }, { status, body }) => {
    variables.set('status', String(status));
    variables.set('responseLength', String(Buffer.byteLength(body)));
    variables.set('responseLatency', String(services.now() - startedAtMs));
    // The context of an authorizer may contain line breaks, but a request is one line.
    services.writeLog(DestinationArn, line(variables).replaceAll(/[\r\n]+/g, ' '));
  };
}
