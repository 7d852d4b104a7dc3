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

/** Sends an answer. A client that has disconnected is not an error: Node discards what is written to it. */
export function send({ status, headers, body }: Answer, ids: RequestIds, response: ServerResponse): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json');
  response.setHeader('x-amzn-RequestId', ids.requestId);
  response.setHeader('x-amz-apigw-id', ids.extendedRequestId);
  // RFC 9110, 8.6: a 204 has no Content-Length, and a 304 would have to have that of the 200 response.
  const hasBody = status !== 204 && status !== 304;
  const isHead = ids.httpMethod === 'HEAD';
  // The length of the answer to HEAD is that of GET, which is unknown when the integration has left its body out.
  if (hasBody && !(isHead && body.length === 0))
    response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(hasBody && !isHead ? body : undefined);
}
