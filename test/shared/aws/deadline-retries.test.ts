import type { RetryErrorType, SdkError } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  AUTHORIZER_LIMITS,
  DYNAMODB_LIMITS,
  deadlineRetries,
  OPERATION_LIMITS,
} from '../../../shared/aws/deadline-retries.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

afterEach(() => {
  vi.useRealTimers();
});

/** Retries until the strategy gives up, with attempts of this length. Returns the waits before each retry. */
async function waitsUntilGivenUp(
  attemptMs: number,
  errorType: RetryErrorType,
  name = 'Error',
  limits = DYNAMODB_LIMITS,
) {
  const retries = deadlineRetries(limits);
  const startedAtMs = Date.now();
  const error = Object.assign(new Error('down'), { name }) as SdkError;
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

describe.each<[errorType: RetryErrorType, name?: string]>([
  ['TRANSIENT'],
  ['THROTTLING'],
  ['SERVER_ERROR'],
  ['CLIENT_ERROR', 'TransactionConflictException'],
])('deadlineRetries after a %s error %s', (errorType, name) => {
  test('makes more than eight attempts in 2 to 3.5 s if each fails at once', async () => {
    const { attempts, tookMs } = await waitsUntilGivenUp(1, errorType, name);
    expect(attempts).toBeGreaterThan(8);
    expect(tookMs).toBeLessThanOrEqual(3500);
    expect(tookMs).toBeGreaterThan(2000);
  });

  test('makes three attempts in 3.5 s if each times out', async () => {
    const { attempts, tookMs } = await waitsUntilGivenUp(DYNAMODB_LIMITS.attemptTimeoutMs, errorType, name);
    expect(attempts).toBe(3);
    expect(tookMs).toBeLessThanOrEqual(3500);
  });
});

test.each([
  ['the authorizer', AUTHORIZER_LIMITS],
  ['an operation', OPERATION_LIMITS],
])('deadlineRetries makes two attempts for %s if each times out, within its budget', async (_, limits) => {
  const { attemptTimeoutMs, budgetMs } = limits;
  const { attempts, tookMs } = await waitsUntilGivenUp(attemptTimeoutMs, 'TRANSIENT', 'Error', limits);
  expect(attempts).toBe(2);
  expect(tookMs).toBeLessThanOrEqual(budgetMs);
});

test('the authorizer and the operation together give up after 4 s', () => {
  expect(AUTHORIZER_LIMITS.budgetMs + OPERATION_LIMITS.budgetMs).toBeLessThanOrEqual(4000);
});

test('deadlineRetries waits 25 ms at first and 200 ms at most, half of each wait random', async () => {
  const { waitsMs } = await waitsUntilGivenUp(1, 'TRANSIENT');
  for (const [place, waitMs] of waitsMs.entries()) {
    const longestMs = Math.min(200, 25 * 2 ** place);
    expect(waitMs).toBeGreaterThanOrEqual(longestMs / 2);
    expect(waitMs).toBeLessThanOrEqual(longestMs);
  }
});

test('deadlineRetries does not retry a client error, and does not count it as an outage', async () => {
  const retries = deadlineRetries();
  const error = new Error('bad request') as SdkError;
  const token = await retries.acquireInitialRetryToken('');
  await expect(retries.refreshRetryTokenForRetry(token, { error, errorType: 'CLIENT_ERROR' })).rejects.toBe(
    error,
  );
  expect(retries.gaveUpOn(error)).toBe(false);
});

test.each([undefined, null, 'text', 5, {}, new Error('other')])(
  'deadlineRetries does not count %s, which it never retried, as an outage',
  error => {
    expect(deadlineRetries().gaveUpOn(error)).toBe(false);
  },
);
