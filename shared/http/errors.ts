import * as z from 'zod/mini';

/** Every error code of the interface with its HTTP status, so that the two cannot disagree. */
export const STATUS_BY_CODE = {
  invalid_request: 400,
  invalid_cursor: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
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

/** The body of every error answer: the interface's Error. */
export const ErrorBody = z.object({
  code: z.enum(Object.keys(STATUS_BY_CODE) as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  status: z.number(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

export function errorBody(code: ErrorCode, message: string): ErrorBody {
  return { code, message, status: STATUS_BY_CODE[code] };
}

/** An error the client is told of: the message is for the client, the cause for the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
