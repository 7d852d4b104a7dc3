import type { APIGatewayProxyEvent } from 'aws-lambda';
import { Unavailable } from '../aws/unavailable.ts';
import { describeError, log } from '../log.ts';
import { type Answer, json } from './answer.ts';
import { ApiError, errorBody, STATUS_BY_CODE } from './errors.ts';

const RETRY_AFTER_SECONDS = '1';

/** The answer to a request that ended with this error: an Error body. What is our fault is logged. */
export function errorAnswer(error: unknown, event: APIGatewayProxyEvent): Answer {
  const { code, message } = toApiError(error);
  const status = STATUS_BY_CODE[code];
  if (status >= 500) {
    log.error(message, {
      requestId: event.requestContext.extendedRequestId,
      error: describeError(error),
    });
  }
  const headers = code === 'unavailable' ? { 'Retry-After': RETRY_AFTER_SECONDS } : undefined;
  return json(status, errorBody(code, message), headers);
}

/** What the client is told: of our own faults no more than that it was one. */
function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof Unavailable) {
    return new ApiError('unavailable', 'The service cannot answer at the moment. Please try again.');
  }
  return new ApiError('internal_error', 'Something went wrong on our side. Please quote the X-Request-Id.');
}
