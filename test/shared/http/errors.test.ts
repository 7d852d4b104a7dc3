import { expect, test } from 'vitest';
import { ApiError, ErrorBody, errorBody, STATUS_BY_CODE } from '../../../shared/http/errors.ts';

test('every code of the interface has its status', () => {
  expect(STATUS_BY_CODE).toEqual({
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
  });
});

test('an Error body has exactly code, message and status', () => {
  const body = errorBody('conflict', 'Taken.');
  expect(body).toEqual({ code: 'conflict', message: 'Taken.', status: 409 });
  expect(ErrorBody.parse(body)).toEqual(body);
});

test('an error keeps its cause for the log', () => {
  const cause = new Error('why');
  expect(new ApiError('conflict', 'Taken.', { cause })).toMatchObject({
    name: 'ApiError',
    message: 'Taken.',
    cause,
  });
});
