import type { APIGatewayProxyEvent, Context } from 'aws-lambda';
import { expect } from 'vitest';
import { joinScopes, SCOPE_NAMES } from '../../shared/api-keys/scopes.ts';
import { parseJson } from '../../shared/http/json.ts';
import type { ApiResponse } from '../../shared/http/response.ts';

export interface ClientRequest {
  readonly method?: string;
  /** Below the stage, such as /v1/pets. */
  readonly path?: string;
  readonly pathParameters?: Record<string, string>;
  /** A value, or all values of a parameter that is given more than once. */
  readonly query?: Record<string, string | string[]>;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: string;
  /** The context from the authorizer; null when none was asked. */
  readonly authorizer?: Record<string, unknown> | null;
}

/** The authorizer's context for a key that has every scope and never expires. */
export const TESTER = {
  principalId: 'key_tester',
  keyId: 'key_tester',
  scopes: joinScopes(SCOPE_NAMES),
};

export const REQUEST_ID = 'extended-id-of-this-request=';

/** The event of a REST API's proxy integration, with everything that API Gateway puts into it. */
export function proxyEvent({
  method = 'GET',
  path = '/v1/pets',
  pathParameters,
  query,
  headers = {},
  body,
  authorizer = TESTER,
}: ClientRequest = {}): APIGatewayProxyEvent {
  const allHeaders = { Host: 'api.example.com', 'X-Forwarded-Proto': 'https', ...headers };
  return {
    resource: path,
    path,
    httpMethod: method,
    headers: lastValues(allHeaders),
    multiValueHeaders: allValues(allHeaders),
    queryStringParameters: query ? lastValues(query) : null,
    multiValueQueryStringParameters: query ? allValues(query) : null,
    pathParameters: pathParameters ?? null,
    stageVariables: null,
    requestContext: {
      accountId: '000000000000',
      apiId: 'abcdefghij',
      authorizer,
      protocol: 'HTTP/1.1',
      httpMethod: method,
      identity: { sourceIp: '192.0.2.1', userAgent: 'test' } as never,
      path: `/staging${path}`,
      stage: 'staging',
      requestId: 'plain-id-of-this-request',
      extendedRequestId: REQUEST_ID,
      requestTimeEpoch: 1_767_225_600_000,
      resourceId: 'pets',
      resourcePath: path,
      domainName: 'api.example.com',
      domainPrefix: 'api',
    } as APIGatewayProxyEvent['requestContext'],
    body: body ?? null,
    isBase64Encoded: false,
  };
}

/** A request with a JSON body. */
export function jsonBody(body: unknown): Pick<ClientRequest, 'method' | 'headers' | 'body'> {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  };
}

export interface ReadResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly text: string;
  /** The body, its integers as bigints. */
  readonly body: unknown;
}

/** Invokes a handler with an event, as Lambda does. */
export async function invoke(handler: unknown, event: unknown): Promise<ReadResponse> {
  const context = { awsRequestId: 'lambda-request-id' } as Context;
  const { statusCode, headers, body } = await (handler as Handler)(event, context);
  return { status: statusCode, headers, text: body, body: body === '' ? undefined : parseJson(body) };
}

type Handler = (event: unknown, context: Context) => Promise<ApiResponse>;

/** Asserts that the response has an Error body: code, message and status, and nothing else. */
export function expectError(response: ReadResponse, status: number, code: string, message?: unknown): void {
  expect(response.body).toEqual({ code, message: message ?? expect.any(String), status: BigInt(status) });
  expect(response.status).toBe(status);
  expect(response.headers['Content-Type']).toBe('application/json');
  expect(response.headers['X-Request-Id']).toBe(REQUEST_ID);
}

function lastValues(values: Record<string, string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, [value].flat().at(-1) ?? '']),
  );
}

function allValues(values: Record<string, string | string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value].flat()]));
}
