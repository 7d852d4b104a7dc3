import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';

/**
 * Headers that every answer of one operation carries, unless the answer sets its own. They may depend on the address that
 * the client called.
 */
export type OperationHeaders = (event: APIGatewayProxyEvent) => Record<string, string>;

/**
 * Adds to every answer, errors included, the request id, `nosniff`, `no-store` by default, and the operation's own
 * headers.
 */
export function completeAnswer(
  operationHeaders?: OperationHeaders,
): MiddlewareObj<APIGatewayProxyEvent, Answer> {
  const addHeaders = ({ event, response }: Request<APIGatewayProxyEvent, Answer>) => {
    if (!response) return;
    // The extended id is API Gateway's own; a client can choose the plain one.
    response.headers['X-Request-Id'] = event.requestContext?.extendedRequestId ?? 'none';
    response.headers['Cache-Control'] ??= 'no-store';
    // Browsers must not take text that a client has stored, such as the name of an animal, for a page.
    response.headers['X-Content-Type-Options'] = 'nosniff';
    // An event that did not come through API Gateway has no called address.
    if (operationHeaders && event.requestContext) {
      response.headers = { ...operationHeaders(event), ...response.headers };
    }
  };
  return { after: addHeaders, onError: addHeaders };
}
