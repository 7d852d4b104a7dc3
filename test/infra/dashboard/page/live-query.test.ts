import { expect, test, vi } from 'vitest';
import { LiveQuery } from '../../../../infra/dashboard/page/live-query.ts';
import type { Answer } from '../../../../infra/dashboard/server/environment-view.ts';

/** A query whose answers a test gives by hand, in any order. */
function query() {
  const requests: PromiseWithResolvers<Answer<string>>[] = [];
  const onChange = vi.fn();
  const read = () => {
    const request = Promise.withResolvers<Answer<string>>();
    requests.push(request);
    return request.promise;
  };
  const live = new LiveQuery(read, onChange);
  const answer = (index: number, result: string) => requests[index]?.resolve({ ok: true, result });
  return { live, answer, onChange, requests };
}

test('shows the latest answer', async () => {
  const { live, answer, onChange } = query();
  const first = live.refresh();
  answer(0, 'one');
  await first;
  expect(live.snapshot).toEqual({ value: 'one' });
  expect(onChange).toHaveBeenCalledTimes(1);
});

test('drops an answer that comes after the answer to a later request', async () => {
  const { live, answer } = query();
  const both = [live.refresh(), live.refresh()];
  answer(1, 'new');
  await both[1];
  answer(0, 'old');
  await both[0];
  expect(live.snapshot).toEqual({ value: 'new' });
});

test('drops an answer that was asked for before a change', async () => {
  const { live, answer } = query();
  const before = live.refresh();
  live.outdate();
  const after = live.refresh();
  answer(1, 'changed');
  await after;
  answer(0, 'as it was before');
  await before;
  expect(live.snapshot).toEqual({ value: 'changed' });
});

test('keeps the last value beside an error, and drops the error after the next answer', async () => {
  const { live, answer, requests } = query();
  const first = live.refresh();
  answer(0, 'one');
  await first;
  const error = { code: 'network', message: 'No answer came.' };
  const second = live.refresh();
  requests[1]?.resolve({ ok: false, error });
  await second;
  expect(live.snapshot).toEqual({ value: 'one', error });
  const third = live.refresh();
  answer(2, 'two');
  await third;
  expect(live.snapshot).toEqual({ value: 'two' });
});

test('keeps the same object when the answer says the same', async () => {
  const live = new LiveQuery(async () => ({ ok: true, result: { keys: [] } }) as const, vi.fn());
  await live.refresh();
  const { value } = live.snapshot;
  await live.refresh();
  expect(live.snapshot.value).toBe(value);
});
