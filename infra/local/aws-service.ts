import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Principal } from './iam/principal.ts';

/** A signed request to the AWS endpoint. */
export interface AwsRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly principal: Principal;
}

/** The service that a request's credential scope names. What it throws becomes an internal error of the endpoint. */
export type AwsService = (call: AwsRequest) => Promise<void>;

/** Reads a body of at most a number of bytes; the rest of a longer one is thrown away and undefined returned. */
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

/** Answers an error in the form of the REST-JSON services, Lambda and API Gateway. */
export function answerRestJsonError(
  response: ServerResponse,
  status: number,
  errorType: string,
  message: string,
): void {
  answerJson(
    response,
    status,
    { Type: 'User', message, Message: message },
    { 'x-amzn-errortype': errorType },
  );
}

/** Answers an error in the form of the JSON services, such as DynamoDB. */
export function answerJsonError(response: ServerResponse, errorType: string, message: string): void {
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  answerJson(response, 400, { __type: `com.amazon.coral.service#${errorType}`, Message: message }, headers);
}

export function answerJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
