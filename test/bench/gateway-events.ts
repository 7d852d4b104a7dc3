import type { APIGatewayEventIdentity, APIGatewayProxyEvent } from 'aws-lambda';
import { STUB_IDS } from './stub.ts';
import type { Operation } from './variants.ts';

const STAGE = 'production';
const DOMAIN = 'a1b2c3d4e5.execute-api.us-east-1.amazonaws.com';

export interface GatewayRequest {
  readonly method: 'GET' | 'POST';
  /** Relative to the base address, such as /pets/17. */
  readonly path: string;
  readonly query?: Record<string, string[]>;
  readonly contentType?: string;
  readonly body?: string;
  /** The authorizer's context; undefined for a request that did not pass the authorizer. */
  readonly authorizer?: Record<string, string> | undefined;
}

export const CALLER = { keyId: 'key_0123456789abcdef01234567', scopes: 'pets:read pets:write orders:read' };

/** The event that API Gateway makes of a request. */
export function gatewayEvent(request: GatewayRequest): APIGatewayProxyEvent {
  const { method, path, query, contentType, body = null } = request;
  const authorizer = 'authorizer' in request ? request.authorizer : CALLER;
  const headers = {
    Accept: '*/*',
    // Petstore compresses larger responses and its peers do not, so the comparison is without compression.
    'Accept-Encoding': 'identity',
    Authorization: 'Bearer pet_live_0123456789ABCDEFGHIJKLMNOPQRabcdef',
    Host: DOMAIN,
    'User-Agent': 'petstore-bench/1.0',
    'X-Amzn-Trace-Id': 'Root=1-67891233-abcdef012345678912345678',
    'X-Forwarded-For': '192.0.2.1',
    'X-Forwarded-Port': '443',
    'X-Forwarded-Proto': 'https',
    ...(contentType && { 'Content-Type': contentType }),
  };
  const [, petId] = /^\/pets\/(.+)$/.exec(path) ?? [];
  const resource = petId === undefined ? `/v1${path}` : '/v1/pets/{petId}';
  return {
    resource,
    path: `/v1${path}`,
    httpMethod: method,
    headers,
    multiValueHeaders: mapValues(headers, value => [value]),
    queryStringParameters: query ? mapValues(query, values => values.at(-1) ?? '') : null,
    multiValueQueryStringParameters: query ?? null,
    pathParameters: petId === undefined ? null : { petId },
    stageVariables: null,
    requestContext: {
      resourceId: 'abc123',
      resourcePath: resource,
      httpMethod: method,
      extendedRequestId: 'AbCdEfGhIjKlMno=',
      requestTime: '05/Dec/2025:12:00:00 +0000',
      path: `/${STAGE}/v1${path}`,
      accountId: '123456789012',
      protocol: 'HTTP/1.1',
      stage: STAGE,
      domainPrefix: 'a1b2c3d4e5',
      requestTimeEpoch: Date.UTC(2025, 11, 5, 12),
      requestId: '11111111-2222-4333-8444-555555555555',
      domainName: DOMAIN,
      apiId: 'a1b2c3d4e5',
      // Its other fields are null.
      identity: { sourceIp: '192.0.2.1', userAgent: 'petstore-bench/1.0' } as APIGatewayEventIdentity,
      authorizer,
    },
    body,
    isBase64Encoded: false,
  };
}

function mapValues<Value, Result>(
  record: Record<string, Value>,
  change: (value: Value) => Result,
): Record<string, Result> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

/** One kind of request that is timed. */
export interface Workload {
  readonly name: string;
  readonly operation: Operation;
  /** JSON text of the event. */
  readonly event: string;
}

const workload = (name: string, operation: Operation, request: GatewayRequest): Workload => ({
  name,
  operation,
  event: JSON.stringify(gatewayEvent(request)),
});

export const LIST_20 = workload('list of 20', 'list', {
  method: 'GET',
  path: '/pets',
  query: { limit: ['20'] },
});
export const LIST_100 = workload('list of 100', 'list', {
  method: 'GET',
  path: '/pets',
  query: { limit: ['100'] },
});
export const CREATE = workload('create', 'create', {
  method: 'POST',
  path: '/pets',
  contentType: 'application/json',
  body: JSON.stringify({ name: 'Rex the dog', categoryId: 42, status: 'available' }),
});
export const GET = workload('get', 'get', { method: 'GET', path: `/pets/${STUB_IDS[7]}` });
