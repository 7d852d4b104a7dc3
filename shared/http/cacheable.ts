import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Answer } from './answer.ts';

/** Something that is the same for everybody, which clients may keep and ask for again by its tag. */
export interface Cacheable {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly etag: string;
}

/** The tag is a weak one: the gateway may compress the body, and it is then not the same byte for byte. */
export function cacheable(body: string, headers: Readonly<Record<string, string>>): Cacheable {
  const etag = `W/"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, headers, etag };
}

/** The whole of it, or 304 for a client that has it already. */
export function answerWith({ body, headers, etag }: Cacheable, event: APIGatewayProxyEvent): Answer {
  const isKnown = knownTags(event).some(tag => tag === '*' || tag === etag || `W/${tag}` === etag);
  return {
    statusCode: isKnown ? 304 : 200,
    headers: {
      ...headers,
      ETag: etag,
      Vary: 'Accept-Encoding',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': event.requestContext.extendedRequestId ?? 'none',
    },
    body: isKnown ? '' : body,
  };
}

/** The tags of If-None-Match, in whatever case the client wrote the name. */
function knownTags({ headers }: APIGatewayProxyEvent): string[] {
  const named = Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'if-none-match');
  return (named?.[1] ?? '').split(',').map(tag => tag.trim());
}
