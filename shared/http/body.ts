import { isUtf8 } from 'node:buffer';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from './errors.ts';
import { parseJson } from './json.ts';

const MAXIMUM_BYTES = 16 * 1024;

export const BODY_TOO_LARGE = `The body must not be larger than ${MAXIMUM_BYTES} bytes.`;
export const BODY_NOT_JSON_TYPE = 'The body must be sent with Content-Type: application/json.';

/** JSON is UTF-8 (RFC 8259), and the body is decoded as such: one in another charset would be garbled. */
const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;\s*(charset\s*=\s*("utf-8"|utf-8)\s*(;\s*)?)?)?$/i;

/** The JSON body of the request with exact integers, or undefined when the request has no body. */
export function readBody(event: APIGatewayProxyEvent): unknown {
  const contentType = headerValue(event, 'content-type');
  if (!event.body && contentType === undefined) return undefined;
  if (contentType === undefined || !JSON_MEDIA_TYPE.test(contentType)) {
    throw new ApiError('unsupported_media_type', BODY_NOT_JSON_TYPE);
  }
  if (!event.body) return undefined;
  // API Gateway encodes the bodies of an API that answers binary ones, as this one does when it compresses.
  const body = Buffer.from(event.body, event.isBase64Encoded ? 'base64' : 'utf8');
  // The client's Content-Length header does not reach the function, so the body itself is measured.
  if (body.length > MAXIMUM_BYTES) throw new ApiError('payload_too_large', BODY_TOO_LARGE);
  const text = body.toString();
  if (!isUtf8(body)) throw new ApiError('invalid_request', invalidUtf8(text));
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ApiError('invalid_request', 'The body is not JSON.', { cause });
  }
}

/** The decoder has put U+FFFD in the place of bytes that are not UTF-8, which shows the fields that hold them. */
function invalidUtf8(decoded: string): string {
  const damaged = stringFields(decoded).filter(([, value]) => value.includes('\ufffd'));
  const names = damaged.map(([name]) => name).filter(name => PLAIN_NAME.test(name));
  return names.length === 0 ? 'The body is not UTF-8.' : names.map(name => `${name} is not UTF-8`).join('; ');
}

/** What is not a plain name is not repeated in a message. */
const PLAIN_NAME = /^\w{1,64}$/;

function stringFields(text: string): [name: string, value: string][] {
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return [];
    return Object.entries(body).filter(([, value]) => typeof value === 'string');
  } catch {
    return [];
  }
}

function headerValue(event: APIGatewayProxyEvent, lowerCaseName: string): string | undefined {
  for (const name in event.headers) {
    if (name.toLowerCase() === lowerCaseName) return event.headers[name];
  }
  return undefined;
}
