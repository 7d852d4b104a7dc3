import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';

/** Headers that every answer of one operation carries, from what the client called. */
export type OperationHeaders = (event: APIGatewayProxyEvent) => Record<string, string>;

/** Adds to every answer, errors included, the request's id and the operation's own headers. */
export function completeAnswer(
  operationHeaders?: OperationHeaders,
): MiddlewareObj<APIGatewayProxyEvent, Answer> {
  const addHeaders = ({ event, response }: Request<APIGatewayProxyEvent, Answer>) => {
    if (!response) return;
    signed(response, event);
    // What did not come through the gateway has no address that was called.
    if (operationHeaders && event.requestContext) Object.assign(response.headers, operationHeaders(event));
  };
  return { after: addHeaders, onError: addHeaders };
}

/** The answer with the request's id. It is kept by nobody unless it says so itself. */
export function signed(answer: Answer, event: APIGatewayProxyEvent): Answer {
  // The extended id is the gateway's own; the plain one can be chosen by the client.
  answer.headers['X-Request-Id'] = event.requestContext?.extendedRequestId ?? 'none';
  answer.headers['Cache-Control'] ??= 'no-store';
  return answer;
}
