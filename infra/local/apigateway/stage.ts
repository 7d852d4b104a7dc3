import type { IncomingMessage } from 'node:http';
import { type AccessLog, accessLog } from './access-log.ts';
import type { Answer } from './answer.ts';
import { apiKeyRequirement, type RequireApiKey } from './api-key-requirement.ts';
import type { Declared, DeclaredResources } from './declared-resources.ts';
import { type Exchange, headerValue } from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { type GatewayResponses, gatewayResponses } from './gateway-responses.ts';
import { executeApiArn, type GatewayServices } from './gateway-services.ts';
import { type MethodThrottles, methodThrottles } from './method-throttles.ts';
import { type ApiMethod, apiMethods } from './methods.ts';
import { ClientGone, readBody, requireHeadersWithinLimit } from './request-limits.ts';
import { pathSegments, queryParameters } from './request-target.ts';
import type { Stage as StageProperties } from './resource-properties.ts';
import { findMethod, findRoute, type RouteNode } from './routes.ts';
import { type TokenAuthorizer, tokenAuthorizer } from './token-authorizer.ts';
import { isForStage, type UsagePlan } from './usage-plans.ts';

/** A deployed stage of an API. */
export interface Stage {
  readonly apiId: string;
  readonly stageName: string;
  /** Answers a request, with a gateway response if it fails; undefined when the client has disconnected. */
  answer(exchange: Exchange, request: IncomingMessage): Promise<Answer | undefined>;
  readonly log: AccessLog;
  /** Makes the gateway's own answers. */
  readonly respond: GatewayResponses;
  flushAuthorizersCache(): void;
}

interface StageParts {
  readonly root: RouteNode<ApiMethod>;
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
    async answer(exchange, request) {
      try {
        return await serve(exchange, request, parts);
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

/** An error of the local runtime itself: the client gets a 500, and the error is reported as a warning. */
function unexpected(error: unknown): GatewayFault {
  process.emitWarning(error instanceof Error ? error : String(error));
  return new GatewayFault('DEFAULT_5XX', { cause: error });
}

/**
 * API Gateway takes a request without a method for one that is signed for IAM. Which gateway response answers an
 * Authorization header that is no signature is not documented; it is taken for a wrong signature here.
 */
function unsignedRequest({ headers }: Exchange): GatewayFault {
  const authorization = headerValue(headers, 'Authorization');
  if (authorization === undefined) return new GatewayFault('MISSING_AUTHENTICATION_TOKEN');
  const clientMessage = `'${authorization}' not a valid key=value pair (missing equal-sign) in Authorization header.`;
  return new GatewayFault('INVALID_SIGNATURE', { clientMessage });
}

async function serve(exchange: Exchange, request: IncomingMessage, parts: StageParts): Promise<Answer> {
  const body = await readBody(request);
  requireHeadersWithinLimit(exchange);
  const segments = pathSegments(exchange.path);
  const parameters = queryParameters(exchange.query);
  const route = findRoute(parts.root, segments);
  const method = route && findMethod(route.node, exchange.httpMethod);
  if (route === undefined || method === undefined) throw unsignedRequest(exchange);

  const { resourceId, resourcePath } = route.node;
  exchange.variables.set('resourceId', resourceId);
  exchange.variables.set('resourcePath', resourcePath);
  if (!parts.throttles(resourcePath, exchange.httpMethod)()) throw new GatewayFault('THROTTLED');

  const { apiId, stageName, httpMethod } = exchange;
  const methodArn = `${executeApiArn(parts.services, apiId)}/${stageName}/${httpMethod}/${segments.join('/')}`;
  const authorization = await method.authorizer?.authorize(exchange, methodArn);
  return method.integrate({
    exchange,
    resourceId,
    resourcePath,
    operationName: method.operationName,
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
