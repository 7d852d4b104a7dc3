import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startPolling } from '../../../../infra/dashboard/page/polling.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

interface Options {
  readonly isVisible?: () => boolean;
  readonly succeeds?: () => boolean;
}

function polled({ isVisible = () => true, succeeds = () => true }: Options = {}) {
  const refresh = vi.fn(async () => succeeds());
  return { refresh, polling: startPolling({ refresh, isVisible }) };
}

test('reads at once, and then often enough to see a change within two seconds', async () => {
  const { refresh, polling } = polled();
  expect(refresh).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(refresh.mock.calls.length).toBeGreaterThanOrEqual(1 + 20_000 / 1_500);
  polling.stop();
});

test('does not read while nobody looks, and reads at once when told to', async () => {
  let isVisible = false;
  const { refresh, polling } = polled({ isVisible: () => isVisible });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh).toHaveBeenCalledTimes(1);
  isVisible = true;
  polling.now();
  expect(refresh).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(refresh).toHaveBeenCalledTimes(3);
  polling.stop();
});

test('backs off after errors, and returns to the usual interval after a success', async () => {
  let isUp = false;
  const { refresh, polling } = polled({ succeeds: () => isUp });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(refresh.mock.calls.length).toBeLessThan(9);
  isUp = true;
  await vi.advanceTimersByTimeAsync(15_000);
  refresh.mockClear();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(refresh.mock.calls.length).toBeGreaterThanOrEqual(4);
  polling.stop();
});

test('does not read again after it was stopped', async () => {
  const { refresh, polling } = polled();
  polling.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(refresh).toHaveBeenCalledTimes(1);
});
