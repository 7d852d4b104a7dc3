import { describe, expect, test } from 'vitest';
import { PetstoreError } from '../src/petstore-error.ts';
import { retryAfterSeconds, retryDelayMs, SYSTEM_CLOCK } from '../src/retry.ts';

const failed = (status: number, retryAfter?: number, code = 'a_code') =>
  new PetstoreError(code, 'A message.', { status, retryAfter });
const clockAt = (random: number) => ({ ...SYSTEM_CLOCK, random: () => random });

describe('retryDelayMs', () => {
  test.for([429, 500, 502, 503, 504])('waits after %i', status => {
    expect(retryDelayMs(failed(status), 1, clockAt(0.5))).toBe(50);
  });

  test.for([301, 400, 401, 403, 404, 405, 409, 413, 415, 422, 501])('does not retry after %i', status => {
    expect(retryDelayMs(failed(status), 1, clockAt(0.5))).toBeUndefined();
  });

  test('waits when there was no response, and does not when the response was no HTTP status', () => {
    expect(retryDelayMs(failed(0, undefined, 'network_error'), 1, clockAt(0.5))).toBe(50);
    expect(retryDelayMs(failed(0, undefined, 'unexpected_answer'), 1, clockAt(0.5))).toBeUndefined();
  });

  test('waits from nothing up to a cap that doubles to ten seconds', () => {
    const delaysMs = (random: number) =>
      [1, 2, 3, 7, 8, 40].map(attempt => retryDelayMs(failed(503), attempt, clockAt(random)));
    expect(delaysMs(0)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(delaysMs(1)).toEqual([100, 200, 400, 6400, 10_000, 10_000]);
  });

  test('adds the jitter to what the service asks for', () => {
    expect(retryDelayMs(failed(429, 2), 1, clockAt(0))).toBe(2000);
    expect(retryDelayMs(failed(429, 2), 3, clockAt(0.5))).toBe(2200);
  });

  test('leaves a wait of more than 30 seconds to the caller', () => {
    expect(retryDelayMs(failed(503, 30), 1, clockAt(0))).toBe(30_000);
    expect(retryDelayMs(failed(503, 31), 1, clockAt(0))).toBeUndefined();
  });
});

test.for([
  ['3', 3],
  ['0', 0],
  ['Thu, 01 Jan 1970 00:01:45 GMT', 5],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
  [null, undefined],
] as const)('Retry-After: %s at second 100 is %s', ([header, seconds]) => {
  expect(retryAfterSeconds(header, 100_000)).toBe(seconds);
});

describe('a sleep', () => {
  test('ends after its time, or with the reason of a signal that is aborted meanwhile or was before', async () => {
    await SYSTEM_CLOCK.sleep(1, undefined);
    const controller = new AbortController();
    await SYSTEM_CLOCK.sleep(1, controller.signal);
    const sleeping = SYSTEM_CLOCK.sleep(1_000_000, controller.signal);
    controller.abort('enough');
    await expect(sleeping).rejects.toBe('enough');
    await expect(SYSTEM_CLOCK.sleep(1_000_000, controller.signal)).rejects.toBe('enough');
  });
});
