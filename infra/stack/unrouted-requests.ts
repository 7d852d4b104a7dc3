import { Validations } from 'aws-cdk-lib';
import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../shared/errors.ts';
import { listed, OPERATIONS, requestHeadersOf } from '../../shared/operations.ts';
import type { Environment } from './environments.ts';
import { type CorsHeaders, gatewayHeaders, mockResponseCors, preflightCors } from './gateway-responses.ts';

/**
 * What API Gateway returns itself, without a function: OPTIONS, 405 for other methods and 404 for unknown paths. All are
 * mock methods.
 */

/** The methods of a resource and the request headers that they take, as the values of headers. */
interface ResourceMethods {
  /** All methods, OPTIONS included. */
  readonly allow: string;
  /** Those that a page may call. */
  readonly methods: string;
  readonly requestHeaders: string;
}

/**
 * OPTIONS: 204 with Allow and, where pages of other origins may call the environment, what they may send. Its headers
 * are those of the resource, not of one method: browsers keep them by URL.
 */
export function addOptionsMethod(
  resource: IResource,
  environment: Environment,
  { allow, methods, requestHeaders }: ResourceMethods,
): void {
  const cors = preflightCors(environment.browserOrigins, methods, requestHeaders);
  addMockMethod(resource, 'OPTIONS', environment, {
    statusCode: '204',
    headers: { Allow: `'${allow}'` },
    cors,
    reason: 'It says which methods the path has, before a browser has sent an API key.',
  });
}

/** The methods that API Gateway knows, which a method ANY takes. */
export const GATEWAY_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What a page may send where API Gateway does not know the operation: whatever some operation takes. */
export const ANY_OPERATION: Omit<ResourceMethods, 'allow'> = {
  methods: GATEWAY_METHODS.filter(method => method !== 'OPTIONS').join(', '),
  requestHeaders: listed(OPERATIONS.flatMap(requestHeadersOf)),
};

const REASON = 'It only says that there is no such path or method; nothing is behind it.';

/** 405 for every method that a resource does not have; `allow` lists those that it has. */
export function refuseOtherMethods(resource: IResource, environment: Environment, allow: string): void {
  addMockMethod(resource, 'ANY', environment, refusal(405, environment, { Allow: `'${allow}'` }));
}

/**
 * 404 for every method of a path that does not exist. Where pages of other origins may call the environment, OPTIONS is
 * permitted, because a page could not read the 404 otherwise.
 */
export function refuseUnknownPath(resource: IResource, environment: Environment): void {
  addMockMethod(resource, 'ANY', environment, refusal(404, environment));
  if (environment.browserOrigins.length === 0) return;
  const { methods, requestHeaders } = ANY_OPERATION;
  const cors = preflightCors(environment.browserOrigins, methods, requestHeaders);
  addMockMethod(resource, 'OPTIONS', environment, { statusCode: '204', headers: {}, cors, reason: REASON });
}

function refusal(
  status: 404 | 405,
  { browserOrigins }: Environment,
  headers: Readonly<Record<string, string>> = {},
): MockMethod {
  const body = JSON.stringify(errorBody(status === 404 ? 'not_found' : 'method_not_allowed'));
  const cors = mockResponseCors(browserOrigins);
  return { statusCode: String(status), headers, cors, body, reason: REASON };
}

/** A method that API Gateway serves itself: no function, no authorizer. */
interface MockMethod {
  readonly statusCode: string;
  /** Headers beside those of every response. A literal value has quotes inside. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cors: CorsHeaders;
  /** JSON. */
  readonly body?: string;
  /** Why it needs no authorizer, for cdk-nag. */
  readonly reason: string;
}

function addMockMethod(
  resource: IResource,
  httpMethod: string,
  environment: Environment,
  { statusCode, headers, cors, body = '', reason }: MockMethod,
): void {
  const values = { ...gatewayHeaders(environment), ...headers, ...cors.headers };
  const parameterOf = (header: string) => `method.response.header.${header}`;
  // It chooses the status.
  const requestTemplate = `{"statusCode":${statusCode}}`;
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // API Gateway takes all bodies of the API for binary; the templates render text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    requestTemplates: Object.fromEntries(COMMON_MEDIA_TYPES.map(type => [type, requestTemplate])),
    integrationResponses: [
      {
        statusCode,
        contentHandling: ContentHandling.CONVERT_TO_TEXT,
        responseParameters: Object.fromEntries(
          Object.entries(values).map(([header, value]) => [parameterOf(header), value]),
        ),
        responseTemplates: { 'application/json': `${cors.template}${body}` },
      },
    ],
  });
  const declared = [...Object.keys(values), ...cors.templateHeaders].map(header => [
    parameterOf(header),
    true,
  ]);
  const method = resource.addMethod(httpMethod, integration, {
    methodResponses: [{ statusCode, responseParameters: Object.fromEntries(declared) }],
  });
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason },
    { id: 'AwsSolutions-COG4', reason },
  );
}

/**
 * The media types that a mock method has a template for: those that clients commonly send. A mock integration has no
 * catch-all, and API Gateway returns for any other type the gateway response UNSUPPORTED_MEDIA_TYPE.
 */
export const COMMON_MEDIA_TYPES = [
  'application/cbor',
  'application/csv',
  'application/geo+json',
  'application/graphql',
  'application/grpc',
  'application/gzip',
  'application/javascript',
  'application/json',
  'application/json-patch+json',
  'application/ld+json',
  'application/merge-patch+json',
  'application/msgpack',
  'application/octet-stream',
  'application/pdf',
  'application/problem+json',
  'application/protobuf',
  'application/soap+xml',
  'application/vnd.api+json',
  'application/x-ndjson',
  'application/x-protobuf',
  'application/x-www-form-urlencoded',
  'application/x-yaml',
  'application/xhtml+xml',
  'application/xml',
  'application/yaml',
  'application/zip',
  'audio/mpeg',
  'audio/ogg',
  'audio/wav',
  'image/avif',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/svg+xml',
  'image/tiff',
  'image/webp',
  'message/http',
  'multipart/form-data',
  'multipart/mixed',
  'multipart/related',
  'text/css',
  'text/csv',
  'text/html',
  'text/javascript',
  'text/json',
  'text/markdown',
  'text/plain',
  'text/xml',
  'text/yaml',
  'video/mp4',
  'video/webm',
];
