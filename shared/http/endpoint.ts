import middy, { type MiddlewareObj, type Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Unavailable } from '../aws/retries.ts';
import { processVariables } from '../environment.ts';
import {
  ApiError,
  BEARER_CHALLENGE,
  type ErrorCode,
  errorBody,
  RETRY_AFTER_SECONDS,
  STATUS_BY_CODE,
} from '../errors.ts';
import { describeError, log } from '../log.ts';
import { compressResponse } from './compression.ts';
import { BROWSER_ORIGINS, corsHeaders } from './cors.ts';
import { STRICT_TRANSPORT_SECURITY } from './headers.ts';
import { type ApiResponse, json } from './response.ts';

/** Headers of every response of one operation, unless the response sets its own. They may depend on the called URL. */
export type OperationHeaders = (event: APIGatewayProxyEvent) => Record<string, string>;

/**
 * The pipeline of every function behind API Gateway: errors become Error bodies, larger responses are compressed, and
 * every response is completed. By itself it needs no API key; `operation` adds the caller and the request.
 *
 * middy runs `after` and `onError` from the last attached to the first, so what completes the response is attached first.
 */
export function endpoint<Event extends APIGatewayProxyEvent = APIGatewayProxyEvent>(
  headers?: OperationHeaders,
) {
  // The stores give up long before the function's time limit, so middy's own timer would only add work.
  return middy<Event, ApiResponse>({ timeoutEarlyInMillis: 0 })
    .use(completeResponse(headers))
    .use(compressResponse())
    .use(reportErrors());
}

/**
 * Adds to every response, errors included, the request id, `nosniff`, `no-store` by default, HSTS, the operation's own
 * headers, and those that let pages of other origins read it. The response to HEAD has the headers of GET and no body.
 */
function completeResponse(
  operationHeaders?: OperationHeaders,
): MiddlewareObj<APIGatewayProxyEvent, ApiResponse> {
  const addCorsHeaders = corsHeaders(processVariables(BROWSER_ORIGINS));
  const transportSecurity = processVariables(STRICT_TRANSPORT_SECURITY);
  const complete = ({ event, response }: Request<APIGatewayProxyEvent, ApiResponse>) => {
    // Stryker disable next-line ConditionalExpression: there is always a response; only the type allows for none.
    if (!response) return;
    // The extended id is API Gateway's own; a client can choose the plain one.
    response.headers['X-Request-Id'] = event.requestContext?.extendedRequestId ?? 'none';
    response.headers['Cache-Control'] ??= 'no-store';
    // Browsers must not treat text that a client has stored, such as the name of a pet, as a page.
    response.headers['X-Content-Type-Options'] = 'nosniff';
    if (transportSecurity) response.headers['Strict-Transport-Security'] = transportSecurity;
    // An event that did not come through API Gateway has no called URL.
    if (operationHeaders && event.requestContext) {
      response.headers = { ...operationHeaders(event), ...response.headers };
    }
    addCorsHeaders(response.headers, event);
    if (event.httpMethod === 'HEAD') Object.assign(response, { body: '', isBase64Encoded: false });
  };
  return { after: complete, onError: complete };
}

/**
 * Turns whatever was thrown into a response with the Error body, and logs why: in one line for what the client can
 * correct, with the error and its causes for the service's own fault.
 */
function reportErrors(): MiddlewareObj<APIGatewayProxyEvent, ApiResponse> {
  return {
    onError(request) {
      const { error, event } = request;
      const { code, message } = toApiError(error);
      const status = STATUS_BY_CODE[code];
      const requestId = event.requestContext?.extendedRequestId;
      if (status >= 500) log.error(message, { requestId, error: describeError(error) });
      else log.info(message, { requestId, code });
      request.response = json(status, errorBody(code, message), HEADERS_BY_CODE[code]);
    },
  };
}

const HEADERS_BY_CODE: Readonly<Partial<Record<ErrorCode, Record<string, string>>>> = {
  unauthorized: { 'WWW-Authenticate': BEARER_CHALLENGE },
  unavailable: { 'Retry-After': RETRY_AFTER_SECONDS },
};

/** Hides the details of the service's own faults from the client. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  return new ApiError(error instanceof Unavailable ? 'unavailable' : 'internal_error');
}
