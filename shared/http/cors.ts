import type { APIGatewayProxyEvent } from 'aws-lambda';
import { addVary } from './vary.ts';

/** The headers of answers that pages of other origins may read besides those that browsers always show. */
export const EXPOSED_HEADERS = [
  'Allow',
  'Deprecation',
  'ETag',
  'Idempotency-Replayed',
  'Link',
  'Location',
  'Retry-After',
  'Sunset',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');

/** The variable of a function with the origins whose pages may read its answers: `*`, or origins with spaces between. */
export const BROWSER_ORIGINS = 'BROWSER_ORIGINS';

/** Adds the headers that let pages of other origins read an answer. */
export type AddCorsHeaders = (headers: Record<string, string>, event: APIGatewayProxyEvent) => void;

/** Any origin gets the same answer; of a list, the caller's own is answered. Without origins no header is added. */
export function corsHeaders(origins = ''): AddCorsHeaders {
  if (origins === '') return () => {};
  if (origins === '*') return headers => void Object.assign(headers, readableBy('*'));
  const allowed = new Set(origins.split(' '));
  return (headers, event) => {
    const origin = originOf(event);
    if (origin !== undefined && allowed.has(origin)) Object.assign(headers, readableBy(origin));
    // A cache must not answer one origin with what another one was answered, nor with the answer to none.
    addVary(headers, 'Origin');
  };
}

function readableBy(origin: string): Record<string, string> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}

function originOf({ headers }: APIGatewayProxyEvent): string | undefined {
  for (const name in headers) if (name.toLowerCase() === 'origin') return headers[name];
  return undefined;
}
