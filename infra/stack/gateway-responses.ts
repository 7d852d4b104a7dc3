import { ResponseType, type RestApi } from 'aws-cdk-lib/aws-apigateway';
import { type ErrorCode, errorBody, RETRY_AFTER_SECONDS } from '../../shared/http/errors.ts';
import type { BrowserOrigins } from '../settings/browser-origins.ts';
import { gatewayResponseCors } from './cors.ts';

/** Headers of every answer that API Gateway makes itself. A literal value has quotes inside. */
export const GATEWAY_HEADERS = {
  'X-Request-Id': 'context.extendedRequestId',
  'Cache-Control': "'no-store'",
  'X-Content-Type-Options': "'nosniff'",
};

/**
 * Every answer that API Gateway can make itself, as an Error. All types are listed: one that is not would take the
 * default's body but keep its own HTTP status, and the two would disagree.
 */
const RESPONSES: readonly [type: ResponseType, code: ErrorCode, message?: string][] = [
  [ResponseType.ACCESS_DENIED, 'unauthorized'],
  [ResponseType.API_CONFIGURATION_ERROR, 'internal_error'],
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'internal_error'],
  // The authorizer function fails when it cannot reach the table of API keys.
  [ResponseType.AUTHORIZER_FAILURE, 'unavailable'],
  [ResponseType.BAD_REQUEST_BODY, 'invalid_request', 'The body is not valid.'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'invalid_request', 'The parameters are not valid.'],
  [ResponseType.DEFAULT_4XX, 'invalid_request'],
  [ResponseType.DEFAULT_5XX, 'internal_error'],
  // No method takes requests that are signed for IAM. API Gateway looks for a signature where no method matches, and
  // every path has a method ANY: what is left are methods such as TRACE, which ANY does not take.
  [ResponseType.EXPIRED_TOKEN, 'method_not_allowed'],
  [ResponseType.INTEGRATION_FAILURE, 'unavailable'],
  [ResponseType.INTEGRATION_TIMEOUT, 'timeout'],
  // A revoked key leaves the usage plan at once, while the authorizer's cached answer may still admit it.
  [ResponseType.INVALID_API_KEY, 'unauthorized'],
  [ResponseType.INVALID_SIGNATURE, 'method_not_allowed'],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'method_not_allowed'],
  [ResponseType.QUOTA_EXCEEDED, 'rate_limited'],
  [ResponseType.REQUEST_TOO_LARGE, 'payload_too_large'],
  [ResponseType.RESOURCE_NOT_FOUND, 'not_found'],
  [ResponseType.THROTTLED, 'rate_limited'],
  [ResponseType.UNAUTHORIZED, 'unauthorized'],
  // Only mock methods have media types, and they take the common ones (media-types.ts); functions are given every type.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'method_not_allowed'],
  [ResponseType.WAF_FILTERED, 'forbidden'],
];

const HEADERS_BY_CODE: Partial<Record<ErrorCode, Record<string, string>>> = {
  unauthorized: { 'WWW-Authenticate': `'Bearer realm="petstore"'` },
  rate_limited: { 'Retry-After': `'${RETRY_AFTER_SECONDS}'` },
  unavailable: { 'Retry-After': `'${RETRY_AFTER_SECONDS}'` },
};

interface GatewayResponsesProps {
  /** The methods that the API has anywhere: a gateway response cannot know those of the path. */
  readonly allow: string;
  readonly browserOrigins: BrowserOrigins;
  /** Whether the only rule of the web ACL limits the rate of an address. */
  readonly hasRateRule: boolean;
}

export function addGatewayResponses(
  api: RestApi,
  { allow, browserOrigins, hasRateRule }: GatewayResponsesProps,
): void {
  const cors = gatewayResponseCors(browserOrigins);
  for (const [type, usualCode, message] of RESPONSES) {
    const code = type === ResponseType.WAF_FILTERED && hasRateRule ? 'rate_limited' : usualCode;
    const body = errorBody(code, message);
    api.addGatewayResponse(type.responseType, {
      type,
      statusCode: String(body.status),
      responseHeaders: {
        ...GATEWAY_HEADERS,
        ...HEADERS_BY_CODE[code],
        ...(code === 'method_not_allowed' && { Allow: `'${allow}'` }),
        ...cors,
      },
      templates: { 'application/json': JSON.stringify(body) },
    });
  }
}
