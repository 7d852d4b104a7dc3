import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';

const MINUTE_MS = 60_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('repeats an invocation that failed after one minute and after two more, and no more', async () => {
  const attempt = vi.fn(async () => false);
  await new AsynchronousInvocations(1).run(attempt);
  const attempts: number[] = [];
  for (let minutes = 0; minutes < 6; minutes++) {
    attempts.push(attempt.mock.calls.length);
    await vi.advanceTimersByTimeAsync(MINUTE_MS);
  }
  expect(attempts).toEqual([1, 2, 2, 3, 3, 3]);
});

test('does not repeat an invocation that succeeded', async () => {
  const attempt = vi.fn<() => Promise<boolean>>().mockResolvedValueOnce(false).mockResolvedValue(true);
  await new AsynchronousInvocations(0.5).run(attempt);
  await vi.advanceTimersByTimeAsync(MINUTE_MS / 2);
  expect(attempt).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(attempt).toHaveBeenCalledTimes(2);
});

test('gives up the retries that have not begun when it is stopped', async () => {
  const attempt = vi.fn(async () => false);
  const invocations = new AsynchronousInvocations(1);
  await invocations.run(attempt);
  invocations.stop();
  await vi.advanceTimersByTimeAsync(10 * MINUTE_MS);
  expect(attempt).toHaveBeenCalledTimes(1);
});
