import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { type InvocationResult, LAMBDA_STATUS_BY_ERROR } from '../lambda/invocation.ts';
import { isHeader } from './context-variables.ts';
import { type Declared, functionArn, type Method } from './declared-resources.ts';
import {
  commonLogTime,
  domainPrefix,
  type Exchange,
  type Header,
  type HttpResponse,
  headerValue,
} from './exchange.ts';
import { GatewayFault } from './gateway-fault.ts';
import { executeApiArn, functionErrorMessage, type GatewayServices, jsonValue } from './gateway-services.ts';
import type { Integrate, MethodRequest } from './routes.ts';

/** AWS_PROXY: the function receives the whole request and returns the whole response. */
export function proxyIntegration(method: Declared<Method>, services: GatewayServices): Integrate {
  const { Uri, IntegrationHttpMethod, TimeoutInMillis } = method.properties.Integration;
  if (Uri === undefined) return method.refuse('the property Integration.Uri is missing');
  if (IntegrationHttpMethod === undefined) {
    return method.refuse('the property Integration.IntegrationHttpMethod is missing');
  }
  const target = functionArn(Uri);
  return async request => {
    const { variables } = request.exchange;
    const startedAtMs = services.now();
    try {
      const invocation = withinTime(invoke(target, request, services), services.patience * TimeoutInMillis);
      const { payload, functionError, requestId } = await invocation.finally(() => {
        const latencyMs = String(services.now() - startedAtMs);
        variables.set('integrationLatency', latencyMs);
        variables.set('integration.latency', latencyMs);
      });
      if (requestId !== undefined) variables.set('integration.requestId', requestId);
      // Lambda's API returns 200 whenever the function ran, even if it threw.
      setLambdaStatus(variables, 200);
      if (functionError !== undefined) throw new Error(functionErrorMessage(payload) ?? functionError);
      const response = proxyResponse(payload, request.isBinaryApi && hasAccept(request));
      if (response === undefined) throw new Error('Malformed Lambda proxy response');
      variables.set('integration.status', String(response.status));
      return response;
    } catch (cause) {
      if (cause instanceof Error) variables.set('integrationErrorMessage', cause.message);
      if (cause instanceof GatewayFault) throw cause;
      const lambdaStatus = statusOfLambda(cause);
      if (lambdaStatus !== undefined) setLambdaStatus(variables, lambdaStatus);
      if (lambdaStatus === 413) throw new GatewayFault('REQUEST_TOO_LARGE', { cause });
      // It is 502 for what a function returns, and 500 when it can't be invoked.
      throw new GatewayFault('DEFAULT_5XX', { status: lambdaStatus === undefined ? 502 : 500, cause });
    }
  };
}

function setLambdaStatus(variables: Exchange['variables'], status: number): void {
  variables.set('integration.integrationStatus', String(status));
  variables.set('integrationStatus', String(status));
}

/** The status with which Lambda's API refused an invocation. */
function statusOfLambda(error: unknown): number | undefined {
  const statuses: Readonly<Record<string, number>> = LAMBDA_STATUS_BY_ERROR;
  return error instanceof AwsApiError ? statuses[error.name] : undefined;
}

async function invoke(
  target: string,
  request: MethodRequest,
  services: GatewayServices,
): Promise<InvocationResult> {
  const { exchange, resourcePath } = request;
  const { apiId, stageName, httpMethod } = exchange;
  const permittedPath = resourcePath.replaceAll(/\{[^{}]*\}/g, '*');
  const sourceArn = `${executeApiArn(services, apiId)}/${stageName}/${httpMethod}${permittedPath}`;
  const caller = { principal: 'apigateway.amazonaws.com', sourceArn };
  return services.invoke(target, proxyEvent(request, services.accountId), caller);
}

/** Stops waiting for the response after the time-out. The function keeps running, as on AWS. */
async function withinTime<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise: timeUp, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new GatewayFault('INTEGRATION_TIMEOUT')), timeoutMs);
  return Promise.race([work, timeUp]).finally(() => clearTimeout(timer));
}

/** The headers that API Gateway does not pass on to functions, or sets itself. */
const DROPPED_FROM_REQUESTS = new Set([
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

/**
 * The event of a Lambda proxy integration, payload format 1.0. An absent value is null, not left out. Query parameters
 * are decoded, path parameters and `path` are percent-encoded, header names have the client's case. No field has the
 * query as the client wrote it, and the order of its names is not documented: here it is that of the alphabet.
 */
function proxyEvent(request: MethodRequest, accountId: string) {
  const { exchange, resourcePath, pathParameters, body } = request;
  const queryParameters = request.queryParameters.toSorted(([one], [other]) =>
    one < other ? -1 : Number(one > other),
  );
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
  const { exchange, deploymentId, resourceId, resourcePath, authorization, apiKey } = request;
  return {
    ...(deploymentId !== undefined && { deploymentId }),
    resourceId,
    resourcePath,
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
    ...headers.filter(([name]) => !DROPPED_FROM_REQUESTS.has(name.toLowerCase())),
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

/**
 * The response of a function of a Lambda proxy integration:
 * {"statusCode": 200, "headers": {"Name": "value"}, "multiValueHeaders": {"Name": ["value"]}, "body": "text",
 *  "isBase64Encoded": false}. All may be absent, and all but the status null; any other shape is malformed.
 */
const ProxyResponse = z.strictObject({
  // A status below 200 is not final: the client would wait for another one.
  statusCode: z.coerce.number().int().min(200).max(599).default(200),
  headers: z.record(z.string(), z.union([z.string(), z.boolean().transform(String)])).nullish(),
  multiValueHeaders: z.record(z.string(), z.array(z.string())).nullish(),
  body: z.string().nullish(),
  /** API Gateway decodes such a body only for an API with binary media types, and a client that accepts them. */
  isBase64Encoded: z.boolean().nullish(),
});

/** The headers of a function's response that API Gateway renames. */
const RENAMED_IN_RESPONSES = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'max-forwards',
  'server',
  'user-agent',
  'www-authenticate',
  'x-amz-apigw-id',
  'x-amzn-requestid',
]);

/** The headers of a function's response that API Gateway drops. */
const DROPPED_FROM_RESPONSES = new Set([
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
]);

/** API Gateway compares its binary media types with Accept. Without one, here it takes a body for text. */
function hasAccept({ exchange }: MethodRequest): boolean {
  return headerValue(exchange.headers, 'Accept') !== undefined;
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Reads a function's response; undefined when it is malformed. */
function proxyResponse(payload: string, isDecoded: boolean): HttpResponse | undefined {
  const parsed = ProxyResponse.safeParse(payload === 'null' ? {} : jsonValue(payload));
  if (!parsed.success) return undefined;
  const { statusCode, headers, multiValueHeaders, isBase64Encoded } = parsed.data;
  const text = parsed.data.body ?? '';
  const isEncoded = isDecoded && isBase64Encoded === true;
  if (isEncoded && !BASE64.test(text)) throw new GatewayFault('DEFAULT_5XX');
  const all = allHeaders(headers ?? {}, multiValueHeaders ?? {});
  if (!all.every(([name, value]) => isHeader(name, value))) return undefined;
  return {
    status: statusCode,
    headers: all.flatMap(clientHeader),
    body: isEncoded ? Buffer.from(text, 'base64') : text,
  };
}

/** A name in both maps has all values, those of multiValueHeaders first. */
function allHeaders(
  single: Readonly<Record<string, string>>,
  multiple: Readonly<Record<string, readonly string[]>>,
): readonly Header[] {
  return [
    ...Object.entries(multiple).flatMap(([name, values]) => values.map(value => [name, value] as const)),
    ...Object.entries(single),
  ];
}

function clientHeader([name, value]: Header): readonly Header[] {
  if (DROPPED_FROM_RESPONSES.has(name.toLowerCase())) return [];
  return [[RENAMED_IN_RESPONSES.has(name.toLowerCase()) ? `x-amzn-Remapped-${name}` : name, value]];
}
