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
 * What API Gateway returns itself, without a function: OPTIONS, 405 for other methods and 404 for unknown paths. Each path has
 * one method ANY for all of these; for unknown paths it's the one of `{proxy+}`, to which API Gateway falls back from every
 * resource that doesn't serve a request.
 */

/** The methods of a resource and the request headers that they take, as the values of headers. */
interface ResourceMethods {
  /** All methods, OPTIONS included. */
  readonly allow: string;
  /** Those a page may call. */
  readonly methods: string;
  readonly requestHeaders: string;
}

/** The methods that API Gateway knows, which a method ANY takes. */
export const GATEWAY_METHODS = ['DELETE', 'GET', 'HEAD', 'OPTIONS', 'PATCH', 'POST', 'PUT'];

/** What a page may send if API Gateway doesn't know the operation: whatever any operation takes. */
const ANY_OPERATION: Omit<ResourceMethods, 'allow'> = {
  methods: GATEWAY_METHODS.filter(method => method !== 'OPTIONS').join(', '),
  requestHeaders: listed(OPERATIONS.flatMap(requestHeadersOf)),
};

const NO_SUCH_METHOD = 'It only says which methods there are, before a browser has sent an API key.';
const NO_SUCH_PATH = 'It only says that there is no such path; nothing is behind it.';

/** Responds at a routed path to OPTIONS, and with 405 to every other method that it doesn't have. */
export function respondToOtherMethods(
  resource: IResource,
  environment: Environment,
  supported: ResourceMethods,
): void {
  const options = optionsResponse(environment, supported);
  const others = refusal(405, environment, { Allow: `'${supported.allow}'` });
  addMockMethod(resource, 'ANY', environment, { options, others, reason: NO_SUCH_METHOD });
}

/**
 * Responds with 404 to every method. If pages of other origins may call the environment, OPTIONS succeeds, or they couldn't
 * read the 404.
 */
export function respondToUnknownPath(resource: IResource, environment: Environment): void {
  const { browserOrigins } = environment;
  const options = browserOrigins.length === 0 ? undefined : optionsResponse(environment, ANY_OPERATION);
  addMockMethod(resource, 'ANY', environment, {
    options,
    others: refusal(404, environment),
    reason: NO_SUCH_PATH,
  });
}

/** Responds to OPTIONS; a function takes every other method. */
export function respondToPreflight(resource: IResource, environment: Environment): void {
  const supported = { allow: GATEWAY_METHODS.join(', '), ...ANY_OPERATION };
  const options = optionsResponse(environment, supported);
  addMockMethod(resource, 'OPTIONS', environment, { options, reason: NO_SUCH_METHOD });
}

/** A response that API Gateway makes itself. */
interface MockResponse {
  readonly statusCode: string;
  /** Headers beside those of every response. A literal value has quotes inside. */
  readonly headers: Readonly<Record<string, string>>;
  readonly cors: CorsHeaders;
  /** JSON. */
  readonly body?: string;
}

/**
 * 204 with Allow and, if pages of other origins may call the environment, what they may send. The headers cover the whole
 * resource, not one method: browsers cache them by URL.
 */
function optionsResponse(
  { browserOrigins }: Environment,
  { allow, methods, requestHeaders }: Omit<ResourceMethods, 'allow'> & { readonly allow?: string },
): MockResponse {
  const cors = preflightCors(browserOrigins, methods, requestHeaders);
  return { statusCode: '204', headers: allow === undefined ? {} : { Allow: `'${allow}'` }, cors };
}

function refusal(
  status: 404 | 405,
  { browserOrigins }: Environment,
  headers: Readonly<Record<string, string>> = {},
): MockResponse {
  const body = JSON.stringify(errorBody(status === 404 ? 'not_found' : 'method_not_allowed'));
  return { statusCode: String(status), headers, cors: mockResponseCors(browserOrigins), body };
}

/** A method that API Gateway serves itself: no function, no authorizer. */
interface MockMethod {
  readonly options?: MockResponse | undefined;
  readonly others?: MockResponse;
  /** Why it needs no authorizer, for cdk-nag. */
  readonly reason: string;
}

function addMockMethod(
  resource: IResource,
  httpMethod: string,
  environment: Environment,
  { options, others, reason }: MockMethod,
): void {
  const responses = [options, others].filter(response => response !== undefined);
  // The integration chooses the response by this status.
  const [first = '', last] = responses.map(({ statusCode: status }) => `{"statusCode":${status}}`);
  const requestTemplate = last ? `#if($context.httpMethod == 'OPTIONS')${first}#else${last}#end` : first;
  const integration = new MockIntegration({
    passthroughBehavior: PassthroughBehavior.NEVER,
    // API Gateway treats all bodies of the API as binary; the templates render text.
    contentHandling: ContentHandling.CONVERT_TO_TEXT,
    requestTemplates: Object.fromEntries(COMMON_MEDIA_TYPES.map(type => [type, requestTemplate])),
    integrationResponses: responses.map(response => ({
      statusCode: response.statusCode,
      // The last one has no pattern, so it's the default.
      ...(response !== responses.at(-1) && { selectionPattern: response.statusCode }),
      contentHandling: ContentHandling.CONVERT_TO_TEXT,
      responseParameters: Object.fromEntries(
        Object.entries(headersOf(response, environment)).map(([header, value]) => [
          parameterOf(header),
          value,
        ]),
      ),
      responseTemplates: { 'application/json': `${response.cors.template}${response.body ?? ''}` },
    })),
  });
  const method = resource.addMethod(httpMethod, integration, {
    methodResponses: responses.map(response => ({
      statusCode: response.statusCode,
      responseParameters: Object.fromEntries(
        [...Object.keys(headersOf(response, environment)), ...response.cors.templateHeaders].map(header => [
          parameterOf(header),
          true,
        ]),
      ),
    })),
  });
  Validations.of(method).acknowledge(
    { id: 'AwsSolutions-APIG4', reason },
    { id: 'AwsSolutions-COG4', reason },
  );
}

const parameterOf = (header: string) => `method.response.header.${header}`;

function headersOf({ headers, cors }: MockResponse, environment: Environment): Record<string, string> {
  return { ...gatewayHeaders(environment), ...headers, ...cors.headers };
}

/**
 * The media types that mock methods have a template for: those that clients commonly send. A mock integration has no
 * catch-all, so for any other type API Gateway returns the gateway response UNSUPPORTED_MEDIA_TYPE.
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
