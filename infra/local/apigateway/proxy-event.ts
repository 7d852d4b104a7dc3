/**
 * The event of a Lambda proxy integration, payload format 1.0. An absent value is null, not left out. Query parameters
 * are decoded, path parameters and `path` are percent-encoded, header names have the client's case.
 */
import { randomBytes } from 'node:crypto';
import { commonLogTime, domainPrefix, type Exchange, type Header, headerValue } from './exchange.ts';
import type { MethodRequest } from './integration.ts';

/** The headers that API Gateway does not pass on to functions, or sets itself. */
const DROPPED = new Set([
  'connection',
  'content-length',
  'content-md5',
  'expect',
  'keep-alive',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
  'x-amzn-trace-id',
  'x-forwarded-for',
  'x-forwarded-port',
  'x-forwarded-proto',
]);

export function proxyEvent(request: MethodRequest, accountId: string) {
  const { exchange, resourcePath, pathParameters, queryParameters, body } = request;
  const headers = functionHeaders(exchange);
  const isEncoded = request.isBinaryApi && body.length > 0;
  return {
    resource: resourcePath,
    path: exchange.path,
    httpMethod: exchange.httpMethod,
    headers: lastValues(headers),
    multiValueHeaders: allValues(headers),
    queryStringParameters: lastValues(queryParameters),
    multiValueQueryStringParameters: allValues(queryParameters),
    pathParameters: lastValues(pathParameters),
    stageVariables: null,
    requestContext: requestContext(request, accountId),
    body: body.length === 0 ? null : body.toString(isEncoded ? 'base64' : 'utf8'),
    isBase64Encoded: isEncoded,
  };
}

export type ProxyEvent = ReturnType<typeof proxyEvent>;

function requestContext(request: MethodRequest, accountId: string) {
  const { exchange, resourceId, resourcePath, operationName, authorization, apiKey } = request;
  return {
    resourceId,
    resourcePath,
    ...(operationName !== undefined && { operationName }),
    httpMethod: exchange.httpMethod,
    extendedRequestId: exchange.extendedRequestId,
    requestTime: commonLogTime(exchange.startedAtMs),
    path: exchange.calledPath,
    accountId,
    protocol: exchange.protocol,
    stage: exchange.stageName,
    domainPrefix: domainPrefix(exchange.domainName),
    requestTimeEpoch: exchange.startedAtMs,
    requestId: exchange.requestId,
    domainName: exchange.domainName,
    apiId: exchange.apiId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: null,
      cognitoIdentityId: null,
      caller: null,
      sourceIp: exchange.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: exchange.userAgent ?? null,
      user: null,
      ...(apiKey !== undefined && { apiKey: apiKey.value, apiKeyId: apiKey.id }),
    },
    ...(authorization !== undefined && {
      authorizer: {
        ...authorization.context,
        principalId: authorization.principalId,
        integrationLatency: authorization.integrationLatencyMs,
      },
    }),
  };
}

function functionHeaders({ headers, sourceIp, port, scheme, startedAtMs }: Exchange): readonly Header[] {
  const forwardedFor = headerValue(headers, 'X-Forwarded-For');
  return [
    ...headers.filter(([name]) => !DROPPED.has(name.toLowerCase())),
    ['X-Amzn-Trace-Id', headerValue(headers, 'X-Amzn-Trace-Id') ?? traceId(startedAtMs)],
    ['X-Forwarded-For', forwardedFor === undefined ? sourceIp : `${forwardedFor}, ${sourceIp}`],
    ['X-Forwarded-Port', String(port)],
    ['X-Forwarded-Proto', scheme],
  ];
}

/** In the form of X-Ray: the time in seconds as 8 hexadecimal digits, then 96 random bits. */
function traceId(timeMs: number): string {
  const seconds = Math.floor(timeMs / 1000)
    .toString(16)
    .padStart(8, '0');
  return `Root=1-${seconds}-${randomBytes(12).toString('hex')}`;
}

type Pairs = readonly (readonly [name: string, value: string])[];

function lastValues(pairs: Pairs): Record<string, string> | null {
  return pairs.length === 0 ? null : Object.fromEntries(pairs);
}

function allValues(pairs: Pairs): Record<string, string[]> | null {
  if (pairs.length === 0) return null;
  const grouped = Map.groupBy(pairs, ([name]) => name);
  return Object.fromEntries(
    grouped.entries().map(([name, values]) => [name, values.map(([, value]) => value)]),
  );
}
