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
