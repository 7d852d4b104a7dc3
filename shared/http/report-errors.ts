import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Unavailable } from '../aws/unavailable.ts';
import { describeError, log } from '../log.ts';
import { type Answer, json } from './answer.ts';
import {
  ApiError,
  BEARER_CHALLENGE,
  type ErrorCode,
  errorBody,
  RETRY_AFTER_SECONDS,
  STATUS_BY_CODE,
} from './errors.ts';

/**
 * Turns whatever was thrown into an answer with the Error body, and logs why: in one line for what the client can
 * correct, with the error and its causes for the service's own fault.
 */
export function reportErrors(): MiddlewareObj<APIGatewayProxyEvent, Answer> {
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
