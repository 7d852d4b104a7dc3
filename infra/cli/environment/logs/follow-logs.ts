import { setTimeout as sleepFor } from 'node:timers/promises';
import type { LogEvent, LogGroup, LogSource } from '../../../operator/logs/log-source.ts';

/** Events appear some seconds after their time, and not in the order of their times. */
const LATENESS_MS = 60_000;

/** CloudWatch Logs admits five requests a second in some regions; others share them. */
const REQUEST_INTERVAL_MS = 250;

/** Enough to read, and little enough to keep in memory. */
const EVENTS_PER_GROUP = 10_000;

interface LogWindow {
  readonly groups: readonly LogGroup[];
  readonly sinceMs: number;
  readonly pattern?: string | undefined;
  readonly eventsPerGroup?: number;
}

interface ReadLogs {
  /** In the order of their times. */
  readonly events: LogEvent[];
  /** The groups that have more events than were read. */
  readonly cutOff: readonly LogGroup[];
}

/** The events of several groups since a time. A group with very many of them is read in part, the oldest first. */
export async function readLogs(
  source: Pick<LogSource, 'search'>,
  { groups, sinceMs, pattern, eventsPerGroup = EVENTS_PER_GROUP }: LogWindow,
  signal: AbortSignal,
): Promise<ReadLogs> {
  const events: LogEvent[] = [];
  const cutOff: LogGroup[] = [];
  for (const group of groups) {
    let count = 0;
    for await (const event of source.search(group, { startMs: sinceMs, pattern, signal })) {
      if (count === eventsPerGroup) {
        cutOff.push(group);
        break;
      }
      count += 1;
      events.push(event);
    }
  }
  return { events: events.toSorted((left, right) => left.timeMs - right.timeMs), cutOff };
}

interface Following extends LogWindow {
  show(events: readonly LogEvent[]): unknown;
  readonly intervalMs: number;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Shows the events of several groups since a time, and then new ones as they appear, until the signal is aborted. */
export async function followLogs(
  source: Pick<LogSource, 'search'>,
  following: Following,
  signal: AbortSignal,
): Promise<never> {
  const { groups, show, intervalMs, now = Date.now } = following;
  const { sleep = ms => sleepFor(ms, undefined, { signal }) } = following;
  let shown = new Map<string, number>();
  let { sinceMs } = following;
  for (;;) {
    const startedMs = now();
    const { events } = await readLogs(source, { ...following, sinceMs }, signal);
    const fresh = events.filter(event => !shown.has(keyOf(event)));
    if (fresh.length > 0) show(fresh);
    // The next search begins before the end of this one, for events that appear late. Those that it finds again are known.
    sinceMs = Math.max(sinceMs, startedMs - LATENESS_MS);
    shown = new Map(
      [...shown, ...fresh.map(event => [keyOf(event), event.timeMs] as const)].filter(
        ([, timeMs]) => timeMs >= sinceMs,
      ),
    );
    await sleep(Math.max(intervalMs, groups.length * REQUEST_INTERVAL_MS));
    signal.throwIfAborted();
  }
}

function keyOf({ group, id }: LogEvent): string {
  return `${group.name} ${id}`;
}
