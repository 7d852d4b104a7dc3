import { Validations } from 'aws-cdk-lib';
import {
  ContentHandling,
  type IResource,
  MockIntegration,
  PassthroughBehavior,
} from 'aws-cdk-lib/aws-apigateway';
import { errorBody } from '../../shared/errors.ts';
import { listed, OPERATIONS, requestHeadersOf } from '../../shared/operations.ts';
import type { BrowserOrigins } from '../settings/browser-origins.ts';
import { type CorsHeaders, GATEWAY_HEADERS, mockResponseCors, preflightCors } from './gateway-responses.ts';

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
  origins: BrowserOrigins,
  { allow, methods, requestHeaders }: ResourceMethods,
): void {
  const cors = preflightCors(origins, methods, requestHeaders);
  addMockMethod(resource, 'OPTIONS', {
    responses: [{ statusCode: '204', headers: { Allow: `'${allow}'` }, cors }],
    reason: 'It says which methods the path has, before a browser has sent an API key.',
  });
}

/** The methods that API Gateway knows, which a method ANY takes. */
export const GATEWAY_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

const REASON = 'It only says that there is no such path or method; nothing is behind it.';

/** 405 for every method that a resource does not have; `allow` lists those that it has. */
export function refuseOtherMethods(resource: IResource, origins: BrowserOrigins, allow: string): void {
  const response = refusal(405, origins, { Allow: `'${allow}'` });
  addMockMethod(resource, 'ANY', { responses: [response], reason: REASON });
}

/**
 * 404 for every method of a path that does not exist. A preflight is permitted, because a page could not read the 404
 * otherwise.
 */
export function refuseUnknownPath(resource: IResource, origins: BrowserOrigins): void {
  const response = refusal(404, origins);
  if (origins.length === 0) {
    addMockMethod(resource, 'ANY', { responses: [response], reason: REASON });
    return;
  }
  const methods = GATEWAY_METHODS.filter(method => method !== 'OPTIONS').join(', ');
  const cors = preflightCors(origins, methods, listed(OPERATIONS.flatMap(requestHeadersOf)));
  addMockMethod(resource, 'ANY', {
    responses: [response, { statusCode: '204', headers: {}, cors }],
    statusTemplate: PREFLIGHT_OR_404,
    reason: REASON,
  });
}

/** A preflight has this header, in the case of HTTP/1.1 or of HTTP/2; an OPTIONS of another client does not. */
const PREFLIGHT_OR_404 = [
  "#set($asked = $input.params('Access-Control-Request-Method'))",
  "#if($asked == '')",
  "#set($asked = $input.params('access-control-request-method'))",
  '#end',
  "#if($context.httpMethod == 'OPTIONS' && $asked != '')",
  statusOf('204'),
  '#else',
  statusOf('404'),
  '#end',
].join('\n');

function refusal(
  status: 404 | 405,
  origins: BrowserOrigins,
  headers: Readonly<Record<string, string>> = {},
): MockResponse {
  const body = JSON.stringify(errorBody(status === 404 ? 'not_found' : 'method_not_allowed'));
  return { statusCode: String(status), headers, cors: mockResponseCors(origins), body };
}

/** One of the responses of a mock method. Its body is JSON. */
export interface MockResponse {
  readonly statusCode: string;
  /** Headers beside those of every response. A literal value has quotes inside. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cors: CorsHeaders;
  readonly body?: string;
}

interface MockMethodProps {
  readonly responses: readonly [MockResponse, ...MockResponse[]];
  /** VTL that chooses the status for a request without a body; the first response's if absent, and always with a body. */
  readonly statusTemplate?: string;
  /** Why it needs no authorizer, for cdk-nag. */
  readonly reason: string;
}

/** A method that API Gateway serves itself: no function, no authorizer. */
export function addMockMethod(
  resource: IResource,
  httpMethod: string,
  { responses, statusTemplate, reason }: MockMethodProps,
): void {
  const [first, ...others] = responses;
  const requestTemplate = statusOf(first.statusCode);
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // API Gateway takes all bodies of the API for binary; the templates render text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    requestTemplates: {
      ...Object.fromEntries(COMMON_MEDIA_TYPES.map(type => [type, requestTemplate])),
      // The template of a request without a body.
      'application/json': statusTemplate ?? requestTemplate,
    },
    integrationResponses: [
      integrationResponse(first),
      ...others.map(response => ({
        ...integrationResponse(response),
        selectionPattern: response.statusCode,
      })),
    ],
  });
  const method = resource.addMethod(httpMethod, integration, {
    methodResponses: responses.map(response => ({
      statusCode: response.statusCode,
      responseParameters: declared([...Object.keys(headersOf(response)), ...response.cors.templateHeaders]),
    })),
  });
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason },
    { id: 'AwsSolutions-COG4', reason },
  );
}

/** What the request template of a mock integration renders to choose a status. */
export function statusOf(statusCode: string): string {
  return `{"statusCode":${statusCode}}`;
}

function integrationResponse(response: MockResponse) {
  const { statusCode, body = '', cors } = response;
  return {
    statusCode,
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    responseParameters: Object.fromEntries(
      Object.entries(headersOf(response)).map(([name, value]) => [parameterOf(name), value]),
    ),
    responseTemplates: { 'application/json': `${cors.template}${body}` },
  };
}

function headersOf({ headers, cors }: MockResponse): Record<string, string> {
  return { ...GATEWAY_HEADERS, ...headers, ...cors.headers };
}

function declared(names: readonly string[]): Record<string, boolean> {
  return Object.fromEntries(names.map(name => [parameterOf(name), true]));
}

function parameterOf(headerName: string): string {
  return `method.response.header.${headerName}`;
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
