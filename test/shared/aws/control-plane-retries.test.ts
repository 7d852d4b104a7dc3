import type { RetryStrategyV2, SdkError } from '@smithy/types';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { controlPlaneRetries, isThrottling } from '../../../shared/aws/control-plane-retries.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** When a caller is served by a service that takes this many calls per second, if it is the last of so many at once. */
async function servedAfterMs(calls: number, perSecond: number): Promise<number> {
  const retries: RetryStrategyV2 = controlPlaneRetries().retryStrategy;
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
