import type { APIGatewayProxyEvent } from 'aws-lambda';
import { ApiError } from './errors.ts';
import { parseJson } from './json.ts';

const MAXIMUM_BYTES = 16 * 1024;

export const BODY_TOO_LARGE = `The body must not be larger than ${MAXIMUM_BYTES} bytes.`;
export const BODY_NOT_JSON_TYPE = 'The body must be sent with Content-Type: application/json.';

/** JSON is UTF-8 (RFC 8259), and API Gateway decodes the body as such: a body in another charset arrives garbled. */
const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;\s*(charset\s*=\s*("utf-8"|utf-8)\s*(;\s*)?)?)?$/i;

/** The JSON body of the request with exact integers, or undefined when the request has no body. */
export function readBody(event: APIGatewayProxyEvent): unknown {
  const contentType = headerValue(event, 'content-type');
  if (!event.body && contentType === undefined) return undefined;
  if (contentType === undefined || !JSON_MEDIA_TYPE.test(contentType)) {
    throw new ApiError('unsupported_media_type', BODY_NOT_JSON_TYPE);
  }
  if (!event.body) return undefined;
  // The client's Content-Length header does not reach the function, so the body itself is measured.
  if (Buffer.byteLength(event.body) > MAXIMUM_BYTES) {
    throw new ApiError('payload_too_large', BODY_TOO_LARGE);
  }
  try {
    return parseJson(event.body);
  } catch (cause) {
    throw new ApiError('invalid_request', 'The body is not JSON.', { cause });
  }
}

function headerValue(event: APIGatewayProxyEvent, lowerCaseName: string): string | undefined {
  for (const name in event.headers) {
    if (name.toLowerCase() === lowerCaseName) return event.headers[name];
  }
  return undefined;
}
