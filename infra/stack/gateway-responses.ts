import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody, RETRY_AFTER_SECONDS } from '../../shared/errors.ts';
import { EXPOSED_HEADERS } from '../../shared/http/cors.ts';
import type { BrowserOrigins } from '../settings/browser-origins.ts';
import type { Environment } from './environments.ts';

/** Headers of every response that API Gateway makes itself. A literal value has quotes inside. */
export function gatewayHeaders(environment: Environment): Record<string, string> {
  return {
    'X-Request-Id': 'context.extendedRequestId',
    'Cache-Control': "'no-store'",
    'X-Content-Type-Options': "'nosniff'",
    'Strict-Transport-Security': literal(transportSecurity(environment)),
  };
}

/**
 * The value of Strict-Transport-Security (HSTS). It covers the called host only: the owner of a custom domain may serve the
 * names below it elsewhere, without TLS.
 */
export function transportSecurity({ hstsMaxAge }: Environment): string {
  return `max-age=${hstsMaxAge}`;
}

/**
 * No method uses IAM authorization, but API Gateway looks for an IAM signature where no method matches. Since every resource
 * has a method ANY, two cases remain: an empty segment in place of a path parameter (`/pets//1`), and methods that ANY doesn't
 * include, such as TRACE. A gateway response can't tell them apart.
 */
const NO_SUCH_METHOD = 'There is nothing at this path for this method.';

/**
 * Every response that API Gateway can make itself, as an Error. A type that isn't listed gets the default's body, which names
 * the default's HTTP status, so only types with that status, 400 or 500, may be left out.
 */
const RESPONSES: readonly [type: ResponseType, code: ErrorCode, message?: string][] = [
  [ResponseType.DEFAULT_4XX, 'invalid_request'],
  [ResponseType.DEFAULT_5XX, 'internal_error'],
  [ResponseType.EXPIRED_TOKEN, 'not_found', NO_SUCH_METHOD],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable'],
  [ResponseType.INTEGRATION_TIMEOUT, 'timeout'],
  [ResponseType.INVALID_SIGNATURE, 'not_found', NO_SUCH_METHOD],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', NO_SUCH_METHOD],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found'],
  [ResponseType.THROTTLED, 'rate_limited'],
  // Mock methods take the common media types (unrouted-requests.ts), and functions every type. Of the content codings, API
  // Gateway takes gzip and deflate, and decompresses the body; the functions then refuse it by its header.
  [
    ResponseType.UNSUPPORTED_MEDIA_TYPE,
    'unsupported_media_type',
    'The media type or the Content-Encoding of the body is not supported here.',
  ],
  [ResponseType.WAF_FILTERED, 'forbidden'],
];

/** In addition, for an API with an authorizer and a usage plan. */
const RESPONSES_TO_KEYS: typeof RESPONSES = [
  [ResponseType.ACCESS_DENIED, 'unauthorized'],
  // The authorizer function fails when it cannot reach the table of API keys.
  [ResponseType.AUTHORIZER_FAILURE, 'unavailable'],
  // A revoked key leaves the usage plan at once, while the authorizer's cached response may still admit it.
  [ResponseType.INVALID_API_KEY, 'unauthorized'],
  [ResponseType.QUOTA_EXCEEDED, 'rate_limited'],
  [ResponseType.UNAUTHORIZED, 'unauthorized'],
];

const HEADERS_BY_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': `'Bearer realm="petstore"'` },
  rate_limited: { 'Retry-After': `'${RETRY_AFTER_SECONDS}'` },
  unavailable: { 'Retry-After': `'${RETRY_AFTER_SECONDS}'` },
};

export function addGatewayResponses(
  api: RestApi,
  environment: Environment,
  { asksForKeys }: { readonly asksForKeys: boolean },
): void {
  const cors = gatewayResponseCors(environment.browserOrigins);
  // The web ACL then has only one rule, which limits the rate of an IP address.
  const hasRateRule = environment.requestsPerAddress !== undefined;
  const responses = asksForKeys ? [...RESPONSES, ...RESPONSES_TO_KEYS] : RESPONSES;
  for (const [type, usualCode, message] of responses) {
    const code = type === ResponseType.WAF_FILTERED && hasRateRule ? 'rate_limited' : usualCode;
    const body = errorBody(code, message);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(body.status),
      responseHeaders: {
        ...gatewayHeaders(environment),
        ...HEADERS_BY_CODE[code],
        ...cors,
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}

/**
 * What API Gateway itself adds to its responses so that pages of other origins can read them (CORS).
 *
 * Any origin (`*`) is a constant header. With a list, the response repeats the request's origin if it's listed: mock
 * integrations compare it in a response template. Gateway responses can't compare, so every page can read theirs, which are
 * the same for everybody.
 */
const ALLOW_ORIGIN = 'Access-Control-Allow-Origin';
const EXPOSE_HEADERS = 'Access-Control-Expose-Headers';

/** Chromium caches a preflight for at most these two hours, whatever the header says. */
const MAX_AGE_SECONDS = 7200;

/** Header values and, if they depend on the request, a template that sets them. A literal has quotes inside. */
export interface CorsHeaders {
  readonly headers: Readonly<Record<string, string>>;
  /** The names of the headers that only the template sets. */
  readonly templateHeaders: readonly string[];
  /** VTL that goes before the body. */
  readonly template: string;
}

const NOTHING: CorsHeaders = { headers: {}, templateHeaders: [], template: '' };

export function gatewayResponseCors(origins: BrowserOrigins): Record<string, string> {
  if (origins.length === 0) return {};
  return { [ALLOW_ORIGIN]: literal('*'), [EXPOSE_HEADERS]: literal(EXPOSED_HEADERS) };
}

export function mockResponseCors(origins: BrowserOrigins): CorsHeaders {
  return readableBy(origins, { [EXPOSE_HEADERS]: literal(EXPOSED_HEADERS) });
}

/** Headers of the response to a preflight, which a browser sends before a page's request. */
export function preflightCors(origins: BrowserOrigins, methods: string, requestHeaders: string): CorsHeaders {
  return readableBy(origins, {
    'Access-Control-Allow-Methods': literal(methods),
    'Access-Control-Allow-Headers': literal(requestHeaders),
    'Access-Control-Max-Age': literal(String(MAX_AGE_SECONDS)),
  });
}

function readableBy(origins: BrowserOrigins, headers: Readonly<Record<string, string>>): CorsHeaders {
  if (origins.length === 0) return NOTHING;
  if (origins === '*') return { ...NOTHING, headers: { [ALLOW_ORIGIN]: literal('*'), ...headers } };
  return {
    headers: { ...headers, Vary: literal('Origin') },
    templateHeaders: [ALLOW_ORIGIN],
    template: allowOriginTemplate(origins),
  };
}

/** $input.params is case-sensitive, and HTTP/2 header names are always lowercase. */
function allowOriginTemplate(origins: readonly string[]): string {
  const isListed = origins.map(origin => `$origin == '${origin}'`).join(' || ');
  return [
    "#set($origin = $input.params('Origin'))",
    "#if($origin == '')",
    "#set($origin = $input.params('origin'))",
    '#end',
    `#if(${isListed})`,
    `#set($context.responseOverride.header.${ALLOW_ORIGIN} = $origin)`,
    '#end',
    '',
  ].join('\n');
}

function literal(value: string): string {
  return `'${value}'`;
}
