/**
 * The API Gateway API, REST-JSON: `POST /apikeys {"name": "…"}`. What may be done is said by HTTP method and path:
 * the action `apigateway:POST` on the resource `arn:aws:apigateway:us-east-1::/apikeys`.
 */
import type { Certificate } from '../acm/certificates.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type Route, routesTo } from '../aws-routes.ts';
import {
  type AwsRequest,
  type AwsService,
  answerJson,
  answerRestJsonError,
  readBody,
} from '../aws-service.ts';
import { PARTITION, REGION } from '../cloudformation/pseudo-parameters.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { apiKeyOperations } from './api-key-operations.ts';
import type { ApiKeys } from './api-keys.ts';
import { basePathMappingOperations } from './base-path-mapping-operations.ts';
import { domainNameOperations } from './domain-name-operations.ts';
import type { DomainNames } from './domain-names.ts';
import { flushAuthorizersCache } from './flush-authorizers-cache.ts';
import type { Operation } from './operation.ts';
import { usagePlanOperations } from './usage-plan-operations.ts';

export interface ApiGatewayServiceOptions {
  /** What is deployed at the moment, if anything. */
  restApis(): RestApis | undefined;
  readonly apiKeys: ApiKeys;
  readonly domainNames: DomainNames;
  findCertificate(arn: string): Certificate | undefined;
  /** Of what AWS takes its time for. */
  readonly waitScale?: number;
  /** Milliseconds since 1970; Date.now unless a test sets the clock. */
  readonly now?: () => number;
}

const BODY_LIMIT_BYTES = 1024 * 1024;

export function apiGatewayService(options: ApiGatewayServiceOptions): AwsService {
  const { restApis, apiKeys, domainNames, findCertificate, waitScale = 1, now = Date.now } = options;
  const routes = routesTo({
    ...apiKeyOperations(apiKeys, now),
    ...usagePlanOperations(() => restApis()?.usagePlans ?? [], apiKeys),
    ...flushAuthorizersCache(restApis),
    ...domainNameOperations({ domainNames, findCertificate, waitScale, now }),
    ...basePathMappingOperations(domainNames, restApis),
  });
  return async call => {
    try {
      await answer(call, routes);
    } catch (error) {
      if (!(error instanceof ApiGatewayError)) throw error;
      const { retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) call.response.setHeader('Retry-After', retryAfterSeconds);
      answerRestJsonError(call.response, error.status, error.name, error.message);
    }
  };
}

async function answer(
  { request, response, principal }: AwsRequest,
  routes: readonly Route<Operation>[],
): Promise<void> {
  const sent = await readBody(request, BODY_LIMIT_BYTES);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.replace(/\/$/, '');
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
  if (route === undefined) {
    const message = `${request.method} ${pathname} of the API Gateway API is not supported by the local runtime.`;
    throw new ApiGatewayError('NotImplemented', message);
  }
  const denial = principal.denial(
    `apigateway:${route.method}`,
    `arn:${PARTITION}:apigateway:${REGION}::${decoded(path)}`,
  );
  if (denial !== undefined) throw new ApiGatewayError('AccessDeniedException', denial);
  const { status, body } = route.operation({
    parameters: decodedValues(route.pattern.exec(path)?.groups),
    query: Object.fromEntries(searchParams),
    body: jsonBody(sent),
  });
  if (body === undefined) response.writeHead(status).end();
  else answerJson(response, status, body);
}

/** Clients write the base path (none) as %28none%29. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ApiGatewayError('BadRequestException', 'Invalid request path');
  }
}

function decodedValues(groups: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value)]));
}

function jsonBody(sent: Buffer | undefined): unknown {
  if (sent?.length === 0) return {};
  try {
    return JSON.parse(String(sent));
  } catch {
    throw new ApiGatewayError('BadRequestException', 'Invalid request body');
  }
}
