import type { RetryErrorType, RetryStrategyV2, SdkError } from '@smithy/types';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { controlPlaneLimits } from '../../../shared/aws/control-plane.ts';
import {
  AUTHORIZER_DEADLINE_MS,
  deadlineRetries,
  dynamoDbLimits,
  isThrottling,
  OPERATION_DEADLINE_MS,
} from '../../../shared/aws/retries.ts';

/** The limits of a function for which the stack sets no deadline. */
const LIMITS = dynamoDbLimits(() => undefined);

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
  limits = LIMITS,
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
    const { attempts, tookMs } = await waitsUntilGivenUp(1000, errorType, name);
    expect(attempts).toBe(3);
    expect(tookMs).toBeLessThanOrEqual(3500);
  });
});

test.each([
  [undefined, 3500, 1000, 3],
  ['', 3500, 1000, 3],
  [String(AUTHORIZER_DEADLINE_MS), 1700, 800, 2],
  [String(OPERATION_DEADLINE_MS), 2300, 1000, 2],
  ['40000', 40_000, 10_000, 3],
])(
  'with the deadline %s, calls take %i ms at most and an attempt %i ms: %i attempts time out',
  async (deadline, budgetMs, attemptTimeoutMs, expected) => {
    const limits = dynamoDbLimits(name => (name === 'DYNAMODB_DEADLINE_MS' ? deadline : undefined));
    expect(limits).toMatchObject({ budgetMs, attemptTimeoutMs });
    const { attempts, tookMs } = await waitsUntilGivenUp(attemptTimeoutMs, 'TRANSIENT', 'Error', limits);
    expect(attempts).toBe(expected);
    expect(tookMs).toBeLessThanOrEqual(budgetMs);
  },
);

test('deadlineRetries waits 25 ms at first and 200 ms at most, half of each wait random', async () => {
  const runs: number[][] = [];
  while (runs.length < 20) runs.push((await waitsUntilGivenUp(1, 'TRANSIENT')).waitsMs);
  for (const waitsMs of runs) {
    for (const [place, waitMs] of waitsMs.entries()) {
      const longestMs = Math.min(200, 25 * 2 ** place);
      expect(waitMs).toBeGreaterThanOrEqual(longestMs / 2);
      expect(waitMs).toBeLessThanOrEqual(longestMs);
    }
  }
  // Clients that failed together must not retry together.
  for (const place of [0, 1, 5]) {
    const waitsMs = runs.map(run => run[place] ?? 0);
    expect(Math.max(...waitsMs)).toBeGreaterThan(1.2 * Math.min(...waitsMs));
  }
});

test('deadlineRetries does not retry a client error, and does not count it as an outage', async () => {
  const retries = deadlineRetries(LIMITS);
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
    expect(deadlineRetries(LIMITS).gaveUpOn(error)).toBe(false);
  },
);

/** When a caller is served by a service that takes this many calls per second, if it is the last of so many at once. */
async function servedAfterMs(calls: number, perSecond: number): Promise<number> {
  const retries: RetryStrategyV2 = deadlineRetries(controlPlaneLimits(() => undefined));
  const startedAtMs = Date.now();
  const freeAtMs = startedAtMs + (calls / perSecond) * 1000;
  const error = Object.assign(new Error('Rate exceeded'), { name: 'ThrottlingException' }) as SdkError;
  let token = await retries.acquireInitialRetryToken('');
  while (Date.now() < freeAtMs) {
    token = await retries.refreshRetryTokenForRetry(token, { error, errorType: 'THROTTLING' });
    vi.advanceTimersByTime(Math.ceil(token.getRetryDelay()));
  }
  return Date.now() - startedAtMs;
}

test('the last of forty calls at once is served by a service that takes five per second', async () => {
  expect(await servedAfterMs(40, 5)).toBeLessThan(15_000);
});

test('a service that throttles for longer than 15 s is given up', async () => {
  await expect(servedAfterMs(100, 5)).rejects.toThrow('Rate exceeded');
});

test.each([
  ['ThrottlingException', true],
  ['TooManyRequestsException', true],
  ['PriorRequestNotComplete', true],
  ['ResourceNotFoundException', false],
])('%s is throttling: %s', (name, is) => {
  expect(isThrottling(Object.assign(new Error('Rate exceeded'), { name }))).toBe(is);
});
