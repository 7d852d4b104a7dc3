import type * as z from 'zod/mini';

/** Every error code of the interface with its HTTP status, so that the two can't disagree. */
export const STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  rate_limited: 429,
  internal_error: 500,
  unavailable: 503,
  timeout: 504,
} as const;

export type ErrorCode = keyof typeof STATUS_BY_CODE;

export const MAXIMUM_BODY_BYTES = 16 * 1024;

/** The message of an error that has no more specific one. */
export const MESSAGE_BY_CODE: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'The request is not valid.',
  invalid_cursor: 'cursor is not valid for this list',
  unauthorized: 'The API key is missing or invalid.',
  forbidden: 'The request was refused.',
  not_found: 'There is nothing at this path.',
  method_not_allowed: 'This method is not supported here. The Allow header lists those that are.',
  not_acceptable: 'There is no representation that the client accepts.',
  conflict: 'The request conflicts with the current state.',
  payload_too_large: 'The request is too large.',
  unsupported_media_type: 'This media type is not supported.',
  idempotency_mismatch: 'This Idempotency-Key was already used with a different body.',
  rate_limited: 'Too many requests. Please slow down.',
  internal_error: 'Something went wrong on our side. Please quote the X-Request-Id.',
  unavailable: 'The service is temporarily unavailable. Please try again.',
  timeout: 'The service did not respond in time. Please try again.',
};

/** The messages of errors that say more. */
export const BODY_TOO_LARGE = `The body must not be larger than ${MAXIMUM_BODY_BYTES} bytes.`;
export const BODY_NOT_JSON_TYPE = 'The body must be sent with Content-Type: application/json.';
export const BODY_ENCODED = 'The body must be sent without Content-Encoding.';
export const missingScope = (scope: string) => `The API key does not have the scope ${scope}.`;

/** The WWW-Authenticate of `unauthorized`. */
export const BEARER_CHALLENGE = 'Bearer realm="petstore"';

/** The Retry-After of `rate_limited` and `unavailable`. */
export const RETRY_AFTER_SECONDS = '1';

/** The body of every error response: the interface's Error. */
export interface ErrorBody {
  readonly code: ErrorCode;
  readonly message: string;
  readonly status: number;
}

export function errorBody(code: ErrorCode, message = MESSAGE_BY_CODE[code]): ErrorBody {
  return { code, message, status: STATUS_BY_CODE[code] };
}

/** An error for the client. Its message is for the client, its cause for the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message = MESSAGE_BY_CODE[code], options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

type Issue = z.core.$ZodIssue;

/** Everything zod found wrong, in one line: `name is required; categoryId must be an integer from … to …`. */
export function listFaults(
  issues: readonly Issue[],
  input: unknown,
  describe: (issue: Issue, value: unknown) => string = describeFault,
): string {
  return [...new Set(issues.map(issue => describe(issue, valueAt(input, issue.path))))].join('; ');
}

export function describeFault({ path, message }: Issue, value: unknown, name = path.join('.')): string {
  return `${name} ${value === undefined ? 'is required' : message}`;
}

function valueAt(input: unknown, path: PropertyKey[]): unknown {
  return path.reduce((parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key], input);
}
