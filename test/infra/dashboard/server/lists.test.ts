import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lists } from '../../../../infra/dashboard/server/lists.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list of one key, whose name may change, and which takes some time to read. */
function keysThatTake(tookMs: number) {
  const key = { name: 'Acme' };
  const read = vi.fn(async () => {
    const result = { keys: [{ ...key }], next: null } as never;
    await new Promise(resolve => setTimeout(resolve, tookMs));
    return { result, warnings: [] };
  });
  const lists = new Lists(read);
  /** The name that a request gets, and how long it waits. */
  const shown = async () => {
    const startedMs = Date.now();
    const page = lists.page('keys', {});
    const waitedMs = page.then(() => Date.now() - startedMs);
    await vi.advanceTimersByTimeAsync(tookMs);
    const [row] = (await page).result.rows;
    return [(row as typeof key).name, await waitedMs];
  };
  return { key, read, lists, shown };
}

test('a list that is quick to read is read for every request', async () => {
  const { key, shown } = keysThatTake(200);
  expect(await shown()).toEqual(['Acme', 200]);
  key.name = 'Zoo';
  expect(await shown()).toEqual(['Zoo', 200]);
});

test('a slow list is shown as it was, and read in the background for a tenth of the time', async () => {
  const { key, read, shown } = keysThatTake(300);
  expect(await shown()).toEqual(['Acme', 300]);
  key.name = 'Zoo';
  await vi.advanceTimersByTimeAsync(2000);
  expect(await shown()).toEqual(['Acme', 0]);
  expect(read).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(400);
  expect(await shown()).toEqual(['Acme', 0]);
  expect(await shown()).toEqual(['Zoo', 0]);
  expect(read).toHaveBeenCalledTimes(2);
});

test('after a change of its own the dashboard shows no list that was read before', async () => {
  const { key, lists, shown } = keysThatTake(300);
  await shown();
  key.name = 'Zoo';
  lists.invalidate();
  expect(await shown()).toEqual(['Zoo', 300]);
});
