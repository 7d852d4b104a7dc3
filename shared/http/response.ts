import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { headerValues } from './headers.ts';
import { stringifyJson } from './json.ts';

export type ApiResponse = APIGatewayProxyResult & { headers: Record<string, string> };

/** A response with a JSON body. */
export function json(statusCode: number, body: unknown, headers: Record<string, string> = {}): ApiResponse {
  return {
    statusCode,
    headers: { 'Content-Type': 'application/json', ...headers },
    body: stringifyJson(body),
  };
}

/** A response without a body, such as 204. */
export function empty(statusCode: number, headers: Record<string, string> = {}): ApiResponse {
  return { statusCode, headers: { ...headers }, body: '' };
}

/** A resource that is the same for every client. Clients may cache it and revalidate it by its entity tag. */
interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is binary, in base64. */
  readonly isBase64Encoded: boolean;
  readonly etag: string;
}

/** A Buffer is sent as binary. The entity tag is weak, because it covers both the plain and the compressed bytes. */
export function representation(
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Representation {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const isBase64Encoded = typeof body !== 'string';
  return { body: isBase64Encoded ? body.toString('base64') : body, isBase64Encoded, headers, etag };
}

/** 200 with the whole representation, or 304 if If-None-Match names its entity tag. */
export function conditionalResponse(
  { body, isBase64Encoded, headers, etag }: Representation,
  event: APIGatewayProxyEvent,
): ApiResponse {
  const isCurrent = clientHas(etag, event);
  return {
    statusCode: isCurrent ? 304 : 200,
    headers: { ...headers, ETag: etag, Vary: 'Accept-Encoding' },
    body: isCurrent ? '' : body,
    ...(isBase64Encoded && !isCurrent && { isBase64Encoded }),
  };
}

/** An entity tag of If-None-Match (RFC 9110, 8.8.3): what is in quotes may contain commas. */
const ENTITY_TAG = /(?:W\/)?("[^"]*")/g;

/** The weak comparison of RFC 9110, 13.1.2: only what is in quotes counts. `*` matches any tag. */
function clientHas(etag: string, event: APIGatewayProxyEvent): boolean {
  const tags = headerValues(event, 'if-none-match').join(', ');
  if (tags.trim() === '*') return true;
  return Array.from(tags.matchAll(ENTITY_TAG), ([, opaque]) => opaque).includes(etag.slice('W/'.length));
}
