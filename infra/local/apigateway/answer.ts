import type { ServerResponse } from 'node:http';
import type { Exchange, Header } from './exchange.ts';

/** The response to the client, without the headers that every response has. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string | Buffer;
}

/** The request fields that the headers of every response need. */
export type RequestIds = Pick<Exchange, 'requestId' | 'extendedRequestId' | 'httpMethod'>;

/** The headers that every response has in addition to its own. */
export function complete(answer: Answer, { requestId, extendedRequestId }: RequestIds): Answer {
  const hasType = answer.headers.some(([name]) => name.toLowerCase() === 'content-type');
  const headers: Header[] = [
    ...answer.headers,
    ...(hasType ? [] : [['Content-Type', 'application/json'] as const]),
    ['x-amzn-RequestId', requestId],
    ['x-amz-apigw-id', extendedRequestId],
  ];
  return { ...answer, headers };
}

/** Sends an answer. A client that has disconnected is not an error: Node discards what is written to it. */
export function send(answer: Answer, ids: RequestIds, response: ServerResponse): void {
  sendComplete(complete(answer, ids), ids.httpMethod, response);
}

/** Sends an answer that has all of its headers. */
export function sendComplete(
  { status, headers, body }: Answer,
  httpMethod: string | undefined,
  response: ServerResponse,
): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  // RFC 9110, 8.6: a 204 has no Content-Length, and a 304 would have to have that of the 200 response.
  const hasBody = status !== 204 && status !== 304;
  const isHead = httpMethod === 'HEAD';
  // The length of the answer to HEAD is that of GET, which is unknown when the integration has left its body out.
  const hasLength = hasBody && !(isHead && body.length === 0);
  if (hasLength) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(hasBody && !isHead ? body : undefined);
}
