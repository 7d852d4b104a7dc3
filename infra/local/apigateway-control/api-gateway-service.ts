/**
 * The API Gateway API, REST-JSON: `POST /apikeys {"name": "…"}`. What may be done is said by HTTP method and path:
 * the action `apigateway:POST` on the resource `arn:aws:apigateway:us-east-1::/apikeys`.
 */
import type { RestApis } from '../apigateway/rest-apis.ts';
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
import { flushAuthorizersCache } from './flush-authorizers-cache.ts';
import type { Operation, Operations } from './operation.ts';
import { usagePlanOperations } from './usage-plan-operations.ts';

export interface ApiGatewayServiceOptions {
  /** What is deployed at the moment, if anything. */
  restApis(): RestApis | undefined;
  readonly apiKeys: ApiKeys;
  /** Milliseconds since 1970; Date.now unless a test sets the clock. */
  readonly now?: () => number;
}

const BODY_LIMIT_BYTES = 1024 * 1024;

export function apiGatewayService(options: ApiGatewayServiceOptions): AwsService {
  const { restApis, apiKeys, now = Date.now } = options;
  const routes = routesTo({
    ...apiKeyOperations(apiKeys, now),
    ...usagePlanOperations(() => restApis()?.usagePlans ?? [], apiKeys),
    ...flushAuthorizersCache(restApis),
  });
  return async call => {
    try {
      await answer(call, routes);
    } catch (error) {
      if (!(error instanceof ApiGatewayError)) throw error;
      answerRestJsonError(call.response, error.status, error.name, error.message);
    }
  };
}

async function answer({ request, response, principal }: AwsRequest, routes: readonly Route[]): Promise<void> {
  const sent = await readBody(request, BODY_LIMIT_BYTES);
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const path = pathname.replace(/\/$/, '');
  const route = routes.find(({ method, pattern }) => method === request.method && pattern.test(path));
  if (route === undefined) {
    const message = `${request.method} ${pathname} of the API Gateway API is not known on one machine.`;
    throw new ApiGatewayError('NotImplemented', message);
  }
  const denial = principal.denial(
    `apigateway:${route.method}`,
    `arn:${PARTITION}:apigateway:${REGION}::${path}`,
  );
  if (denial !== undefined) throw new ApiGatewayError('AccessDeniedException', denial);
  const { status, body } = route.operation({
    parameters: route.pattern.exec(path)?.groups ?? {},
    query: Object.fromEntries(searchParams),
    body: jsonBody(sent),
  });
  if (body === undefined) response.writeHead(status).end();
  else answerJson(response, status, body);
}

function jsonBody(sent: Buffer | undefined): unknown {
  if (sent?.length === 0) return {};
  try {
    return JSON.parse(String(sent));
  } catch {
    throw new ApiGatewayError('BadRequestException', 'Invalid request body');
  }
}

interface Route {
  readonly method: string;
  readonly pattern: RegExp;
  readonly operation: Operation;
}

function routesTo(operations: Operations): readonly Route[] {
  return Object.entries(operations).map(([key, operation]) => {
    const [method = '', path = ''] = key.split(' ');
    return { method, pattern: new RegExp(`^${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`), operation };
  });
}
