import { usageError } from '../../operator/connection/command-error.ts';

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Longer durations are typing errors, and would exceed the range of Date. */
const LONGEST_MS = 100 * 365 * 86_400_000;

/** Milliseconds of a duration such as 30s, 10m, 24h or 7d; undefined if the text is not a duration. */
export function durationMs(text: string): number | undefined {
  const [, count, unit = ''] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNIT_MS[unit] ?? Number.NaN);
  return ms <= LONGEST_MS ? ms : undefined;
}

/** The value of an option such as --timeout in milliseconds. */
export function readDurationMs(
  option: string,
  text: string,
  examples = '30s, 10m or 2h',
  leastMs = 0,
): number {
  const ms = durationMs(text);
  if (ms !== undefined && ms >= leastMs) return ms;
  throw usageError(`${option} takes a duration such as ${examples}, not "${text}".`);
}

export function readSince(text: string, nowMs: number): number {
  return nowMs - readDurationMs('--since', text, '10m, 24h or 7d', 1);
}

/**
 * The value of --expires as a time. A date means its last second, in UTC. A repeated request has the time that the first
 * one had, which may be past by now.
 */
export function readExpiry(text: string, nowMs: number, isRepeated = false): string {
  const ms = durationMs(text);
  if (isRepeated && ms !== undefined) {
    throw usageError(
      `With --request-id, --expires takes the time in the line that was printed, not "${text}", which counts from now.`,
    );
  }
  const at = ms === undefined ? readTime(text) : new Date(nowMs + ms);
  if (at === undefined) {
    throw usageError(
      `--expires takes a date such as 2027-01-31, or a duration such as 30m, 24h or 90d (36500d at most), not "${text}".`,
    );
  }
  if (at.getTime() <= nowMs && !isRepeated) {
    throw usageError(`--expires must be in the future, such as 90d, not "${text}".`);
  }
  return at.toISOString();
}

function readTime(text: string): Date | undefined {
  const [, date, time] =
    /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(text) ?? [];
  // Date accepts 31 February as 3 March.
  if (!date || !isInCalendar(date)) return undefined;
  const at = new Date(`${date}${time ?? 'T23:59:59Z'}`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

function isInCalendar(date: string): boolean {
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date);
}

/** The option of the commands that list the newest of something, as commander takes it. */
export function limitOption(what: string) {
  return ['--limit <n>', `how many ${what} to show`, readLimit] as const;
}

function readLimit(text: string): number {
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1)
    throw usageError(`--limit takes a number of at least 1, such as 10, not "${text}".`);
  return limit;
}
