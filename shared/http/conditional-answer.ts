import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';

/** A resource that is the same for every client. Clients may cache it and revalidate it by its entity tag. */
interface Representation {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Whether the body is binary, in base64. */
  readonly isBase64Encoded: boolean;
  readonly etag: string;
}

/** A Buffer is answered as binary. The entity tag is weak: the gateway may compress the body, and the bytes then differ. */
export function representation(
  body: string | Buffer,
  headers: Readonly<Record<string, string>>,
): Representation {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  const isBase64Encoded = typeof body !== 'string';
  return { body: isBase64Encoded ? body.toString('base64') : body, isBase64Encoded, headers, etag };
}

/** 200 with the whole representation, or 304 when If-None-Match names its entity tag. */
export function conditionalAnswer(
  { body, isBase64Encoded, headers, etag }: Representation,
  event: APIGatewayProxyEvent,
): Answer {
  const isCurrent = tagsOfClient(event).some(tag => tag === '*' || tag === etag || `W/${tag}` === etag);
  return {
    statusCode: isCurrent ? 304 : 200,
    headers: { ...headers, ETag: etag, Vary: 'Accept-Encoding', 'X-Content-Type-Options': 'nosniff' },
    body: isCurrent ? '' : body,
    ...(isBase64Encoded && !isCurrent && { isBase64Encoded }),
  };
}

/** The entity tags of If-None-Match, whatever the case of its name. */
function tagsOfClient({ headers }: APIGatewayProxyEvent): string[] {
  const header = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'if-none-match');
  return (header?.[1] ?? '').split(',').map(tag => tag.trim());
}
