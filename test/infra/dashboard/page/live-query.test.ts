import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { LiveQuery } from '../../../../infra/dashboard/page/live-query.ts';
import type { ApiResponse } from '../../../../infra/dashboard/server/protocol.ts';
import { pauseBetweenLooks } from '../../../../infra/operator/domains/domain-report.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const ERROR = { code: 'network', message: 'No response came.' };

/** A query whose responses a test gives by hand, in any order. */
function heldQuery() {
  const requests: PromiseWithResolvers<ApiResponse<string>>[] = [];
  const read = () => {
    const request = Promise.withResolvers<ApiResponse<string>>();
    requests.push(request);
    return request.promise;
  };
  const query = new LiveQuery(read, { isVisible: () => true });
  const onChange = vi.fn();
  const stop = query.watch(onChange);
  const respond = async (index: number, response: ApiResponse<string>) => {
    requests[index]?.resolve(response);
    await vi.advanceTimersByTimeAsync(0);
  };
  return { query, onChange, stop, respond, requests };
}

/** A query that gets its responses at once. */
function polledQuery({
  isVisible = (): boolean => true,
  succeeds = (): boolean => true,
  intervalMs = undefined as ((waitedMs: number) => number) | undefined,
} = {}) {
  const read = vi.fn(
    async (): Promise<ApiResponse<{ keys: [] }>> =>
      succeeds() ? { ok: true, result: { keys: [] } } : { ok: false, error: ERROR },
  );
  const query = new LiveQuery(read, { isVisible, intervalMs });
  return { query, read, stop: query.watch(() => {}) };
}

test('shows the response, and calls its watchers', async () => {
  const { query, onChange, respond } = heldQuery();
  await respond(0, { ok: true, result: 'one' });
  expect(query.snapshot).toEqual({ value: 'one' });
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('drops a response that was requested before a refresh, also if it comes last', async () => {
  const { query, respond } = heldQuery();
  query.refresh();
  await respond(0, { ok: true, result: 'as it was before the change' });
  expect(query.snapshot).toEqual({});
  query.refresh();
  await respond(2, { ok: true, result: 'changed' });
  await respond(1, { ok: true, result: 'as it was before the change' });
  expect(query.snapshot).toEqual({ value: 'changed' });
});

test('drops a response that was requested before a refresh without watchers', async () => {
  const { query, stop, respond, requests } = heldQuery();
  stop();
  query.refresh();
  await respond(0, { ok: true, result: 'as it was before the change' });
  expect(query.snapshot).toEqual({});
  expect(requests).toHaveLength(1);
});

test('keeps the last value beside an error, and drops the error after a success', async () => {
  const { query, respond } = heldQuery();
  await respond(0, { ok: true, result: 'one' });
  query.refresh();
  await respond(1, { ok: false, error: ERROR });
  expect(query.snapshot).toEqual({ value: 'one', error: ERROR });
  query.refresh();
  await respond(2, { ok: true, result: 'two' });
  expect(query.snapshot).toEqual({ value: 'two' });
});

test('is as old as the request for it, or as the server says; nothing of it is on the screen without watchers', async () => {
  const { query, stop, respond } = heldQuery();
  const startedMs = Date.now();
  expect(query.age).toBe(undefined);
  await vi.advanceTimersByTimeAsync(8_000);
  await respond(0, { ok: true, result: 'one' });
  // The next request is due.
  expect(query.age).toEqual({ asOfMs: startedMs, isReading: true, hasFailed: false });
  await respond(1, { ok: false, error: ERROR });
  expect(query.age).toEqual({ asOfMs: startedMs, isReading: false, hasFailed: true });
  query.refresh();
  await respond(2, { ok: true, result: 'two', age: { ms: 5_000, isReading: true } });
  expect(query.age).toEqual({ asOfMs: startedMs + 3_000, isReading: true, hasFailed: false });
  stop();
  expect(query.age).toBe(undefined);
});

test('keeps the same object if the response is equal', async () => {
  const { query } = polledQuery();
  await vi.advanceTimersByTimeAsync(0);
  const { value } = query.snapshot;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(value).toEqual({ keys: [] });
  expect(query.snapshot.value).toBe(value);
});

test('reads at once, and then often enough to show a change within two seconds', async () => {
  const { read } = polledQuery();
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(1 + 20_000 / 1_500);
});

test('does not read while the page is hidden, and continues after a refresh', async () => {
  let isVisible = false;
  const { query, read } = polledQuery({ isVisible: () => isVisible });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read).toHaveBeenCalledTimes(1);
  isVisible = true;
  query.refresh();
  expect(read).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(read).toHaveBeenCalledTimes(3);
});

test('backs off after errors, and returns to the usual interval after a success', async () => {
  let isUp = false;
  const { read } = polledQuery({ succeeds: () => isUp });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(read.mock.calls.length).toBeLessThan(9);
  isUp = true;
  await vi.advanceTimersByTimeAsync(15_000);
  read.mockClear();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(read.mock.calls.length).toBeGreaterThanOrEqual(4);
});

test('reads once for several watchers, and no more after the last one has left', async () => {
  const { query, read, stop } = polledQuery();
  const stopOther = query.watch(() => {});
  await vi.advanceTimersByTimeAsync(0);
  stop();
  stopOther();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(1);
});

test('reads less and less often if its interval grows, and anew after a refresh; nobody is told its age', async () => {
  const { query, read, stop } = polledQuery({ intervalMs: pauseBetweenLooks });
  const readsWithin = async (ms: number) => {
    const before = read.mock.calls.length;
    await vi.advanceTimersByTimeAsync(ms);
    return read.mock.calls.length - before;
  };
  const MINUTE = 60_000;
  expect(await readsWithin(20_000)).toBeGreaterThan(5);
  await vi.advanceTimersByTimeAsync(20 * MINUTE);
  expect([await readsWithin(10 * MINUTE), query.age]).toEqual([10, undefined]);
  query.refresh();
  expect(await readsWithin(20_000)).toBeGreaterThan(5);
  stop();
});
