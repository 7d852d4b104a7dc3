import type { APIGatewayProxyEvent } from 'aws-lambda';
import { parseJson } from '../../../../shared/http/json.ts';

const STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  payload_too_large: 413,
  unsupported_media_type: 415,
  internal_error: 500,
} as const;

/** An error for the client, with the interface's Error body. */
export class ApiError extends Error {
  readonly status: number;
  readonly body: string;

  constructor(code: keyof typeof STATUS_BY_CODE, message: string, options?: ErrorOptions) {
    super(message, options);
    this.status = STATUS_BY_CODE[code];
    this.body = JSON.stringify({ code, message, status: this.status });
  }
}

/** The error for the client. An unexpected error becomes an internal_error without its details. */
export function toApiError(error: unknown): ApiError {
  return error instanceof ApiError
    ? error
    : new ApiError('internal_error', 'Something went wrong on our side. Please quote the X-Request-Id.', {
        cause: error,
      });
}

/** Throws unless the authorizer's context names a valid key with the scope. */
export function requireScope(event: APIGatewayProxyEvent, scope: string): void {
  const { keyId, scopes, expiresAt } = event.requestContext.authorizer ?? {};
  const isExpired = expiresAt !== undefined && !(Date.parse(expiresAt) > Date.now());
  if (!keyId || isExpired) throw new ApiError('unauthorized', 'The API key is missing or invalid.');
  if (!String(scopes).split(' ').includes(scope)) {
    throw new ApiError('forbidden', `The API key does not have the scope ${scope}.`);
  }
}

const MAXIMUM_BYTES = 16 * 1024;
const JSON_MEDIA_TYPE = /^\s*application\/json\s*(;\s*(charset\s*=\s*("utf-?8"|utf-?8)\s*(;\s*)?)?)?$/i;

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

/** The rules of a Pet's fields that a validation library does not express. */
export const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

const INT64_MINIMUM = -(2n ** 63n);
const INT64_MAXIMUM = 2n ** 63n - 1n;

export const SAYS = {
  limit: 'must be an integer from 1 to 100',
  status: 'must be one of available, pending, sold',
  name: 'must be a string',
  nameLength: 'must have 1 to 255 characters, at least one of them not white space',
  nameCharacters: 'must not hold control characters, lone surrogates or U+FFFD',
  int64: `must be an integer from ${INT64_MINIMUM} to ${INT64_MAXIMUM}`,
  object: 'must be a JSON object',
  repeated: 'must be given once',
} as const;

export const LIMIT = /^([1-9]\d?|100)$/;

export function isInt64(value: bigint): boolean {
  return value >= INT64_MINIMUM && value <= INT64_MAXIMUM;
}

export function hasSaneLength(name: string): boolean {
  return name.trim() !== '' && [...name].length <= 255;
}

export function hasSaneCharacters(name: string): boolean {
  return name.isWellFormed() && !/[\p{Cc}\ufffd]/u.test(name);
}

/** Reads an int64 in plain decimal digits, as in a path; undefined for anything else. */
export function petIdFrom(text: string): bigint | undefined {
  if (!/^(0|-?[1-9]\d{0,18})$/.test(text)) return undefined;
  const petId = BigInt(text);
  return isInt64(petId) ? petId : undefined;
}
