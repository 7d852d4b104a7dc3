import type { APIGatewayProxyEvent } from 'aws-lambda';
import { addVary, headerValue } from './headers.ts';

/** Response headers that pages of other origins may read, besides those that browsers always show. */
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

/** Environment variable with the origins whose pages may read a function's responses: `*`, or origins with spaces between. */
export const BROWSER_ORIGINS = 'BROWSER_ORIGINS';

/** Adds the headers that let pages of other origins read a response. */
type AddCorsHeaders = (headers: Record<string, string>, event: APIGatewayProxyEvent) => void;

/** `*` allows every origin; with a list, the caller's own is returned if listed. Without origins, no header is added. */
export function corsHeaders(origins = ''): AddCorsHeaders {
  if (origins === '') return () => {};
  if (origins === '*') return headers => void Object.assign(headers, readableBy('*'));
  const allowed = new Set(origins.split(' '));
  return (headers, event) => {
    const origin = headerValue(event, 'origin');
    if (origin !== undefined && allowed.has(origin)) Object.assign(headers, readableBy(origin));
    // A cache must not give one origin the response to another, or to a request without an origin.
    addVary(headers, 'Origin');
  };
}

function readableBy(origin: string): Record<string, string> {
  return { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}
