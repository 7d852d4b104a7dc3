import type { SdkError } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ATTEMPT_TIMEOUT_MS, deadlineRetries } from '../../../shared/aws/deadline-retries.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Retries until the strategy gives up; every attempt takes so long. Gives the waits before each retry. */
async function waitsUntilGivenUp(attemptMs: number, errorType: 'TRANSIENT' | 'THROTTLING' | 'SERVER_ERROR') {
  const retries = deadlineRetries();
  const startedAtMs = Date.now();
  const error = new Error('down') as SdkError;
  const waitsMs: number[] = [];
  let token = await retries.acquireInitialRetryToken('');
  for (;;) {
    vi.advanceTimersByTime(attemptMs);
    try {
      token = await retries.refreshRetryTokenForRetry(token, { error, errorType });
    } catch (thrown) {
      expect(thrown).toBe(error);
      expect(retries.gaveUpOn(error)).toBe(true);
      return { waitsMs, tookMs: Date.now() - startedAtMs, attempts: token.getRetryCount() + 1 };
    }
    waitsMs.push(token.getRetryDelay());
    vi.advanceTimersByTime(Math.ceil(token.getRetryDelay()));
  }
}

describe.each(['TRANSIENT', 'THROTTLING', 'SERVER_ERROR'] as const)('%s errors', errorType => {
  test('that come at once are outlasted for seconds, with more than eight attempts', async () => {
    const { attempts, tookMs } = await waitsUntilGivenUp(1, errorType);
    expect(attempts).toBeGreaterThan(8);
    expect(tookMs).toBeLessThanOrEqual(3500);
    expect(tookMs).toBeGreaterThan(2000);
  });

  test('that come after the whole time of an attempt leave time for three', async () => {
    const { attempts, tookMs } = await waitsUntilGivenUp(ATTEMPT_TIMEOUT_MS, errorType);
    expect(attempts).toBe(3);
    expect(tookMs).toBeLessThanOrEqual(3500);
  });
});

test('waits grow from 25 ms to 200 ms, half of each random', async () => {
  const { waitsMs } = await waitsUntilGivenUp(1, 'TRANSIENT');
  for (const [place, waitMs] of waitsMs.entries()) {
    const longestMs = Math.min(200, 25 * 2 ** place);
    expect(waitMs).toBeGreaterThanOrEqual(longestMs / 2);
    expect(waitMs).toBeLessThanOrEqual(longestMs);
  }
});

test('a mistake of ours is not retried, and no outage', async () => {
  const retries = deadlineRetries();
  const error = new Error('bad request') as SdkError;
  const token = await retries.acquireInitialRetryToken('');
  await expect(retries.refreshRetryTokenForRetry(token, { error, errorType: 'CLIENT_ERROR' })).rejects.toBe(
    error,
  );
  expect(retries.gaveUpOn(error)).toBe(false);
});

test.each([undefined, null, 'text', 5, {}, new Error('other')])('%s is no outage', error => {
  expect(deadlineRetries().gaveUpOn(error)).toBe(false);
});
