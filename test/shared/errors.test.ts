import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  ApiError,
  BODY_NOT_JSON_TYPE,
  BODY_TOO_LARGE,
  errorBody,
  listFaults,
  MESSAGE_BY_CODE,
  RETRY_AFTER_SECONDS,
  STATUS_BY_CODE,
} from '../../shared/errors.ts';

test('every code of the interface has its status', () => {
  expect(STATUS_BY_CODE).toEqual({
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
  });
});

test('an Error body has exactly code, message and status', () => {
  expect(errorBody('conflict', 'Taken.')).toEqual({ code: 'conflict', message: 'Taken.', status: 409 });
});

test('a code has a default message, in the body and in the error', () => {
  const message = 'The API key is missing or invalid.';
  expect(MESSAGE_BY_CODE.unauthorized).toBe(message);
  expect(errorBody('unauthorized')).toEqual({ code: 'unauthorized', message, status: 401 });
  expect(new ApiError('unauthorized')).toMatchObject({ code: 'unauthorized', message });
});

test('the messages about a body say what is accepted', () => {
  expect(BODY_TOO_LARGE).toBe('The body must not be larger than 16384 bytes.');
  expect(BODY_NOT_JSON_TYPE).toBe('The body must be sent with Content-Type: application/json.');
});

test('every code has a default message of its own, of several words', () => {
  const messages = Object.values(MESSAGE_BY_CODE);
  expect(Object.keys(MESSAGE_BY_CODE)).toEqual(Object.keys(STATUS_BY_CODE));
  expect(new Set(messages).size).toBe(messages.length);
  for (const message of messages) expect(message).toMatch(/^\w+( [\w-]+){2,}/);
});

test('Retry-After is a whole number of seconds', () => {
  expect(RETRY_AFTER_SECONDS).toMatch(/^[1-9]\d*$/);
});

test('an ApiError keeps its cause for the log', () => {
  const cause = new Error('why');
  expect(new ApiError('conflict', 'Taken.', { cause })).toMatchObject({
    name: 'ApiError',
    message: 'Taken.',
    cause,
  });
});

const Shape = z.object({
  name: z.string('must be a string').check(z.minLength(2, 'must be longer')),
  inner: z.object({ size: z.number('must be a number') }, 'must be an object'),
});

function faults(input: unknown): string {
  const { error } = z.safeParse(Shape, input);
  return listFaults(error?.issues ?? [], input);
}

describe('listFaults', () => {
  test('lists every fault once', () => {
    expect(faults({ name: 5, inner: { size: 'big' } })).toBe(
      'name must be a string; inner.size must be a number',
    );
  });

  test('reports a missing field as required', () => {
    expect(faults({ name: 'a' })).toBe('name must be longer; inner is required');
    expect(faults({ inner: {} })).toBe('name is required; inner.size is required');
  });

  test('reports null as a wrong type, not as missing', () => {
    expect(faults({ name: null, inner: null })).toBe('name must be a string; inner must be an object');
  });

  test('reports a field of something that is missing as required', () => {
    const { error } = z.safeParse(Shape, { name: 'ab', inner: {} });
    expect(listFaults(error?.issues ?? [], {})).toBe('inner.size is required');
    expect(listFaults(error?.issues ?? [], undefined)).toBe('inner.size is required');
  });

  test('lists equal messages once', () => {
    const Twice = z.string().check(z.minLength(2, 'is bad'), z.regex(/^a/, 'is bad'));
    const { error } = z.safeParse(z.object({ name: Twice }), { name: 'b' });
    expect(listFaults(error?.issues ?? [], { name: 'b' })).toBe('name is bad');
  });
});
