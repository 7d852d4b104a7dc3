import type { IncomingMessage, ServerResponse } from 'node:http';

/** Reads a body of at most a number of bytes. A longer one is discarded, and undefined is returned. */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length <= limitBytes) {
      chunks.push(chunk);
    }
  }
  return length > limitBytes ? undefined : chunks.length === 1 ? chunks[0] : Buffer.concat(chunks);
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** Answers an error in the form of the JSON protocol (ACM, DynamoDB, Step Functions). */
export function answerJsonError(
  response: ServerResponse,
  status: number,
  { name, message }: Error,
  contentType: string,
): void {
  const headers = { 'content-type': contentType, 'x-amzn-errortype': name };
  answerJson(response, status, { __type: name, message }, headers);
}

/** Answers an error in the form of the REST-JSON protocol (API Gateway, Lambda). */
export function answerRestJsonError(
  response: ServerResponse,
  status: number,
  { name, message }: Error,
): void {
  answerJson(response, status, { Type: 'User', message, Message: message }, { 'x-amzn-errortype': name });
}
