import { parseJson } from '../../../../shared/http/json.ts';
import { ApiError } from './api-error.ts';

const MAXIMUM_BYTES = 16 * 1024;
const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;\s*(charset\s*=\s*("utf-8"|utf-8)\s*(;\s*)?)?)?$/i;

/** The JSON body with exact integers, or undefined when the request has none. */
export function readJsonBody(contentType: string | undefined, text: string | null): unknown {
  if (!text && contentType === undefined) return undefined;
  if (contentType === undefined || !JSON_MEDIA_TYPE.test(contentType)) {
    throw new ApiError(
      'unsupported_media_type',
      'The body must be sent with Content-Type: application/json.',
    );
  }
  if (!text) return undefined;
  if (Buffer.byteLength(text) > MAXIMUM_BYTES) {
    throw new ApiError('payload_too_large', `The body must not be larger than ${MAXIMUM_BYTES} bytes.`);
  }
  try {
    return parseJson(text);
  } catch (cause) {
    throw new ApiError('invalid_request', 'The body is not JSON.', { cause });
  }
}
