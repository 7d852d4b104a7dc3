import type { IncomingMessage, ServerResponse } from 'node:http';

/** Reads a body of at most a number of bytes. A longer one is discarded, and undefined is returned. */
export function readBody(message: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer | undefined>();
  const chunks: Buffer[] = [];
  let length = 0;
  message.on('data', (chunk: Buffer) => {
    length += chunk.length;
    if (length <= limitBytes) chunks.push(chunk);
  });
  message.on('end', () => resolve(length > limitBytes ? undefined : Buffer.concat(chunks)));
  message.on('error', reject);
  return promise;
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Sends an error in the form of the JSON protocol (ACM, DynamoDB, Step Functions). */
export function sendJsonError(
  response: ServerResponse,
  status: number,
  { name, message }: Error,
  contentType: string,
): void {
  const headers = { 'content-type': contentType, 'x-amzn-errortype': name };
  sendJson(response, status, { __type: name, message }, headers);
}

/** Sends an error in the form of the REST-JSON protocol (API Gateway, Lambda). */
export function sendRestJsonError(response: ServerResponse, status: number, { name, message }: Error): void {
  sendJson(response, status, { Type: 'User', message, Message: message }, { 'x-amzn-errortype': name });
}

/** Sends an error in the form of the query protocol (STS), which clients of the REST-XML protocol read, too. */
export function sendXmlError(
  response: ServerResponse,
  status: number,
  { name, message }: Error,
  requestId: string,
): void {
  const [code, text] = [name, message].map(content =>
    content.replaceAll('&', '&amp;').replaceAll('<', '&lt;'),
  );
  const error = `<Error><Type>Sender</Type><Code>${code}</Code><Message>${text}</Message></Error>`;
  response
    .writeHead(status, { 'content-type': 'text/xml' })
    .end(`<ErrorResponse>${error}<RequestId>${requestId}</RequestId></ErrorResponse>`);
}
