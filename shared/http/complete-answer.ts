import type { MiddlewareObj, Request } from '@middy/core';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { processVariables } from '../environment.ts';
import type { Answer } from './answer.ts';
import { BROWSER_ORIGINS, corsHeaders } from './cors.ts';

/**
 * Headers that every answer of one operation carries, unless the answer sets its own. They may depend on the address that
 * the client called.
 */
export type OperationHeaders = (event: APIGatewayProxyEvent) => Record<string, string>;

/**
 * Adds to every answer, errors included, the request id, `nosniff`, `no-store` by default, the operation's own headers,
 * and those that let pages of other origins read it. The answer to HEAD has the headers of GET and no body.
 */
export function completeAnswer(
  operationHeaders?: OperationHeaders,
): MiddlewareObj<APIGatewayProxyEvent, Answer> {
  const addCorsHeaders = corsHeaders(processVariables(BROWSER_ORIGINS));
  const complete = ({ event, response }: Request<APIGatewayProxyEvent, Answer>) => {
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
    addCorsHeaders(response.headers, event);
    if (event.httpMethod === 'HEAD') Object.assign(response, { body: '', isBase64Encoded: false });
  };
  return { after: complete, onError: complete };
}
