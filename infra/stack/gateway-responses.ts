import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody } from '../../shared/http/errors.ts';

/** Headers that every answer made by API Gateway itself carries. Literals stand in inner quotes. */
export const GATEWAY_HEADERS = {
  'X-Request-Id': 'context.extendedRequestId',
  'Cache-Control': "'no-store'",
};

const UNAUTHORIZED = 'The API key is missing or invalid.';
const TOO_MANY = 'Too many requests. Please slow down.';
const OUR_FAULT = 'Something went wrong on our side. Please quote the X-Request-Id.';
const TRY_AGAIN = 'The service cannot answer at the moment. Please try again.';

/**
 * Every answer that API Gateway can give by itself, as an Error. All types are listed: one that is not would take
 * the body of a default and keep a status of its own, and the two would disagree.
 */
const RESPONSES: readonly [ResponseType, ErrorCode, string][] = [
  [ResponseType.ACCESS_DENIED, 'unauthorized', UNAUTHORIZED],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error', OUR_FAULT],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'internal_error', OUR_FAULT],
  // The authorizer fails when it cannot reach the table of keys.
  [ResponseType.AUTHORIZER_FAILURE, 'unavailable', TRY_AGAIN],
  [ResponseType.BAD_REQUEST_BODY, 'invalid_request', 'The body is not valid.'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'invalid_request', 'The parameters are not valid.'],
  [ResponseType.DEFAULT_4XX, 'invalid_request', 'The request is not valid.'],
  [ResponseType.DEFAULT_5XX, 'internal_error', OUR_FAULT],
  [ResponseType.EXPIRED_TOKEN, 'unauthorized', UNAUTHORIZED],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable', TRY_AGAIN],
  [ResponseType.INTEGRATION_TIMEOUT, 'timeout', 'The service did not answer in time. Please try again.'],
  // The usage plan no longer has a key that was just revoked, while the authorizer's cached answer still lets it in.
  [ResponseType.INVALID_API_KEY, 'unauthorized', UNAUTHORIZED],
  [ResponseType.INVALID_SIGNATURE, 'unauthorized', UNAUTHORIZED],
  // API Gateway's name for a path and method that are not there.
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'not_found', 'There is nothing at this path.'],
  [ResponseType.QUOTA_EXCEEDED, 'rate_limited', TOO_MANY],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large', 'The request is too large.'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found', 'There is nothing at this path.'],
  [ResponseType.THROTTLED, 'rate_limited', TOO_MANY],
  [ResponseType.UNAUTHORIZED, 'unauthorized', UNAUTHORIZED],
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'unsupported_media_type', 'This media type is not supported.'],
  [ResponseType.WAF_FILTERED, 'forbidden', 'The request was refused.'],
];

const HEADERS_BY_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': `'Bearer realm="petstore"'` },
  rate_limited: { 'Retry-After': "'1'" },
  unavailable: { 'Retry-After': "'1'" },
};

export function addGatewayResponses(api: RestApi): void {
  for (const [type, code, message] of RESPONSES) {
    const body = errorBody(code, message);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(body.status),
      responseHeaders: { ...GATEWAY_HEADERS, ...HEADERS_BY_CODE[code] },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
