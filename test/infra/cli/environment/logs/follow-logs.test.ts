import { expect, test } from 'vitest';
import { followLogs, readLogs } from '../../../../../infra/cli/environment/logs/follow-logs.ts';
import type { LogEvent, LogSource } from '../../../../../infra/operator/logs/log-source.ts';

const GROUP = { name: 'Petstore-Staging-A', title: 'a', isAccessLog: false };
const START_MS = Date.UTC(2026, 0, 31);

/** A log whose events appear some time after their own time. */
function lateLog(
  events: readonly { readonly atMs: number; readonly appearsMs: number }[],
  now: () => number,
) {
  const starts: number[] = [];
  const source: Omit<LogSource, 'query'> = {
    region: 'us-east-1',
    groups: async () => [GROUP],
    async *search(group, { startMs }) {
      starts.push(startMs);
      for (const { atMs, appearsMs } of events) {
        if (appearsMs <= now() && atMs >= startMs) {
          yield { id: String(atMs), timeMs: atMs, message: `event ${atMs - START_MS}`, group };
        }
      }
    },
  };
  return { source, starts };
}

test('shows each event once, also one that appears later than younger ones', async () => {
  const clock = { nowMs: START_MS + 1_000 };
  const { source, starts } = lateLog(
    [
      { atMs: START_MS, appearsMs: START_MS },
      { atMs: START_MS + 2_000, appearsMs: START_MS + 30_000 },
      { atMs: START_MS + 9_000, appearsMs: START_MS + 10_000 },
    ],
    () => clock.nowMs,
  );
  const shown: string[][] = [];
  const ending = new AbortController();
  const following = followLogs(
    source,
    {
      groups: [GROUP],
      sinceMs: START_MS,
      intervalMs: 10_000,
      now: () => clock.nowMs,
      show: (events: readonly LogEvent[]) => shown.push(events.map(({ message }) => message)),
      sleep: async ms => {
        clock.nowMs += ms;
        if (clock.nowMs > START_MS + 200_000) ending.abort();
      },
    },
    ending.signal,
  );
  await expect(following).rejects.toThrow();
  expect(shown).toEqual([['event 0'], ['event 9000'], ['event 2000']]);
  expect(starts.at(-1)).toBeGreaterThan(START_MS);
});

test('waits longer between the searches of many groups, for the rate that CloudWatch Logs admits', async () => {
  const { source } = lateLog([], () => START_MS);
  const ending = new AbortController();
  const waits: number[] = [];
  const following = followLogs(
    source,
    {
      groups: Array.from({ length: 40 }, () => GROUP),
      sinceMs: START_MS,
      intervalMs: 5_000,
      show: () => {},
      sleep: async ms => {
        waits.push(ms);
        ending.abort();
      },
    },
    ending.signal,
  );
  await expect(following).rejects.toThrow();
  expect(waits).toEqual([10_000]);
});

test('a group with more events than are read at once is named', async () => {
  const events = [1, 2, 3].map(number => ({ atMs: START_MS + number, appearsMs: START_MS }));
  const { source } = lateLog(events, () => START_MS);
  const { signal } = new AbortController();
  const read = (eventsPerGroup: number) =>
    readLogs(source, { groups: [GROUP], sinceMs: START_MS, eventsPerGroup }, signal);
  expect(await read(2)).toMatchObject({ events: [{ id: String(START_MS + 1) }, {}], cutOff: [GROUP] });
  expect((await read(3)).cutOff).toEqual([]);
});
