import middy from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';
import { completeAnswer, type OperationHeaders } from './complete-answer.ts';
import { compressAnswer } from './compress-answer.ts';
import { reportErrors } from './report-errors.ts';

/**
 * The pipeline of every function behind API Gateway: errors become Error bodies, larger answers are compressed, and
 * every answer is completed. By itself it is for everybody; `operation` adds the caller and the request.
 *
 * middy runs `after` and `onError` from the last attached to the first, so what completes the answer is attached first.
 */
export function endpoint<Event extends APIGatewayProxyEvent = APIGatewayProxyEvent>(
  headers?: OperationHeaders,
) {
  // The stores give up long before the function's time limit, so middy's own timer would only cost.
  return middy<Event, Answer>({ timeoutEarlyInMillis: 0 })
    .use(completeAnswer(headers))
    .use(compressAnswer())
    .use(reportErrors());
}
