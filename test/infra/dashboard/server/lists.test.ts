import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Lists } from '../../../../infra/dashboard/server/lists.ts';
import { revisionOf } from '../../../../shared/operator/revision.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A list of keys of one name, which may change, and which takes some time to read; and an operator function that has it. */
function keysThatTake(tookMs: number, { count = 1 } = {}) {
  const key = { name: 'Acme' };
  const entries = [{ requestId: 'first' }];
  const results = () => ({
    'keys.list': { keys: Array.from({ length: count }, () => ({ ...key })), next: null },
    'audit.list': { entries: [...entries] },
    'domains.summary': { domains: [], next: null },
    'orders.list': { orders: [], hasMore: false },
    'projects.list': { projects: [] },
  });
  const sent: string[] = [];
  const read = vi.fn(async (command: string, _input: object, known?: string) => {
    const result = results()[command as 'keys.list'];
    const revision = revisionOf(result);
    if (command === 'keys.list') await new Promise(resolve => setTimeout(resolve, tookMs));
    if (revision === known) return { result: null, isUnchanged: true as const, warnings: [] };
    sent.push(command);
    return { result, revision, warnings: [] };
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
  /** As many requests as the page sends in this time. */
  const polled = async (seconds: number) => {
    for (let waitedMs = 0; waitedMs < seconds * 1000; waitedMs += 1400) {
      await vi.advanceTimersByTimeAsync(1400 - tookMs);
      await shown();
    }
  };
  const reads = (command: string) => read.mock.calls.filter(([name]) => name === command).length;
  return { key, entries, sent, read, reads, lists, shown, polled };
}

test('a list that is quick to read is read for every request', async () => {
  const { key, shown } = keysThatTake(200);
  expect(await shown()).toEqual(['Acme', 200]);
  await vi.advanceTimersByTimeAsync(1000);
  key.name = 'Zoo';
  expect(await shown()).toEqual(['Zoo', 200]);
});

test('a long list is shown as it was, with its age, and read in the background for a third of the time', async () => {
  const { key, reads, lists, shown } = keysThatTake(300, { count: 5000 });
  expect(await shown()).toEqual(['Acme', 300]);
  key.name = 'Zoo';
  await vi.advanceTimersByTimeAsync(250);
  expect(await shown()).toEqual(['Acme', 0]);
  expect(reads('keys.list')).toBe(1);
  await vi.advanceTimersByTimeAsync(100);
  expect((await lists.page('keys', {})).age).toEqual({ ms: 950, isReading: true });
  expect(await shown()).toEqual(['Acme', 0]);
  expect(await shown()).toEqual(['Zoo', 0]);
  expect(reads('keys.list')).toBe(2);
});

test('a short list that is far away is read again at once', async () => {
  const { key, shown } = keysThatTake(8000);
  await shown();
  key.name = 'Zoo';
  expect(await shown()).toEqual(['Acme', 0]);
  expect(await shown()).toEqual(['Zoo', 0]);
});

test('once somebody looks at a list, the others are read as well, so that each is there at once', async () => {
  const { reads, lists } = keysThatTake(100);
  lists.page('orders', {});
  await vi.advanceTimersByTimeAsync(200);
  expect(['domains.summary', 'keys.list', 'projects.list', 'audit.list'].map(reads)).toEqual([1, 1, 1, 1]);
});

test('projects are shown before their domains are counted, and then those first that need somebody', async () => {
  const lists = new Lists(async command => {
    const domain = { project: 'zoo', status: 'failed', reason: 'internal_error', records: [] };
    const projects = ['app', 'zoo'].map(id => ({ id, deploy: { state: 'none' } }));
    const isDomains = command === 'domains.summary';
    if (isDomains) await new Promise(resolve => setTimeout(resolve, 1000));
    return {
      result: isDomains ? { domains: [domain], next: null } : { projects },
      warnings: [],
    };
  });
  const counted = async () => {
    const page = lists.page('projects', {});
    await vi.advanceTimersByTimeAsync(250);
    return (await page).result.rows;
  };
  expect(await counted()).toMatchObject([{ id: 'app', domains: null }, { id: 'zoo' }]);
  await vi.advanceTimersByTimeAsync(1000);
  const counts = { total: 1, live: 0, attention: 1 };
  expect(await counted()).toMatchObject([{ id: 'zoo', domains: counts }, { id: 'app' }]);
});

test('after a change of its own the dashboard shows no list that was read before', async () => {
  const { key, lists, shown } = keysThatTake(300);
  await shown();
  key.name = 'Zoo';
  lists.invalidate();
  expect(await shown()).toEqual(['Zoo', 300]);
});

test('a long list is seldom read while nobody changes anything, and what is unchanged is not sent', async () => {
  const { sent, reads, polled } = keysThatTake(100, { count: 5000 });
  // It may have been changed while it was read for the first time.
  await polled(10);
  sent.length = 0;
  const before = reads('keys.list');
  await polled(200);
  expect(reads('keys.list') - before).toBeLessThanOrEqual(200 / (5000 / 100));
  expect(reads('keys.list') - before).toBeGreaterThan(0);
  expect(sent).toEqual([]);
});

test('what an operator changes anywhere shows in a long list at the next request, and what lags behind at a later one', async () => {
  const { key, entries, shown, polled } = keysThatTake(100, { count: 5000 });
  await polled(10);
  key.name = 'Unnoticed';
  await vi.advanceTimersByTimeAsync(1400);
  expect(await shown()).toEqual(['Acme', 0]);
  entries.unshift({ requestId: 'second' });
  key.name = 'Zoo';
  await vi.advanceTimersByTimeAsync(1400);
  expect(await shown()).toEqual(['Zoo', 100]);
  key.name = 'Follows';
  await vi.advanceTimersByTimeAsync(1400);
  expect(await shown()).toEqual(['Follows', 100]);
});

test('requests while one types do not wait for another look at the audit log', async () => {
  const { reads, shown, polled } = keysThatTake(100, { count: 5000 });
  await polled(10);
  await vi.advanceTimersByTimeAsync(1400);
  const before = reads('audit.list');
  for (let letter = 0; letter < 5; letter += 1) await shown();
  expect(reads('audit.list') - before).toBe(1);
});

test('a long list that is idle says when nothing can be read any more, and goes on by itself', async () => {
  const { read, lists, shown, polled } = keysThatTake(100, { count: 5000 });
  await polled(10);
  await vi.advanceTimersByTimeAsync(1400);
  read.mockRejectedValueOnce(new Error('The credentials have expired.'));
  await expect(lists.page('keys', {})).rejects.toThrow('The credentials have expired.');
  await vi.advanceTimersByTimeAsync(1400);
  expect(await shown()).toEqual(['Acme', 0]);
});
