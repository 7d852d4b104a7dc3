import type { APIGatewayProxyResult } from 'aws-lambda';
import { stringifyJson } from './json.ts';

export type Answer = APIGatewayProxyResult & { headers: Record<string, string> };

/** Makes an answer with a JSON body. */
export function json(statusCode: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: stringifyJson(body),
  };
}

/** Makes an answer without a body, such as 204. */
export function empty(statusCode: number, headers: Record<string, string> = {}): Answer {
  return { statusCode, headers: { ...headers }, body: '' };
}
