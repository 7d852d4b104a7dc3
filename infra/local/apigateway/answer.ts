import type { ServerResponse } from 'node:http';
import type { Exchange, Header } from './exchange.ts';

/** What the client gets, apart from the headers that every answer carries. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly Header[];
  readonly body: string;
}

/** The headers that name the request, on every answer whoever gives it. */
export type RequestIds = Pick<Exchange, 'requestId' | 'extendedRequestId' | 'httpMethod'>;

/** Sends an answer. A client that has gone away is no error: Node drops what is written to it. */
export function send({ status, headers, body }: Answer, ids: RequestIds, response: ServerResponse): void {
  response.statusCode = status;
  for (const [name, value] of headers) response.appendHeader(name, value);
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json');
  response.setHeader('x-amzn-RequestId', ids.requestId);
  response.setHeader('x-amz-apigw-id', ids.extendedRequestId);
  // RFC 9110, 8.6: a 204 must not have a Content-Length, and that of a 304 would be the one of the 200.
  const hasBody = status !== 204 && status !== 304;
  if (hasBody) response.setHeader('Content-Length', Buffer.byteLength(body));
  response.end(hasBody && ids.httpMethod !== 'HEAD' ? body : undefined);
}
