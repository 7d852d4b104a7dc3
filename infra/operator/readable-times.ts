import { readableDate, timeOf } from '../../shared/domains/clock.ts';

/** `upTo`: the count at which the next larger unit takes over; after 31 days it's a date. */
const UNITS = [
  { name: 'minute', seconds: 60, upTo: 60 },
  { name: 'hour', seconds: 3600, upTo: 24 },
  { name: 'day', seconds: 86_400, upTo: 31 },
] as const;

/** A time as people say it: "3 days ago", "in 20 days", and a date beyond a month. */
export function relativeTime(time: string, nowMs: number, justNow = 'just now'): string {
  const seconds = (Date.parse(time) - nowMs) / 1000;
  if (Number.isNaN(seconds)) return time;
  if (Math.abs(seconds) < 45) return seconds > 0 ? 'in a moment' : justNow;
  for (const { name, seconds: unit, upTo } of UNITS) {
    const count = Math.round(Math.abs(seconds) / unit);
    if (count < upTo) {
      const amount = count <= 1 ? `1 ${name}` : `${count} ${name}s`;
      return seconds > 0 ? `in ${amount}` : `${amount} ago`;
    }
  }
  return readableDate(time);
}

/** The time since then, to the second: a check was usually seconds ago. */
export function since(time: string | number, nowMs: number): string {
  const then = new Date(time);
  const seconds = Math.max(0, Math.floor((nowMs - then.getTime()) / 1000));
  return seconds < 60 ? `${seconds} s ago` : relativeTime(then.toISOString(), nowMs);
}

/** Anything older is shown with its age. */
const RECENT_MS = 10_000;

export function isOld(timeMs: number, nowMs: number): boolean {
  return nowMs - timeMs > RECENT_MS;
}

/** When something is due, which may be overdue by seconds. */
export function dueTime(time: string, nowMs: number): string {
  return relativeTime(time, nowMs, 'any moment');
}

/** Such as "2027-01-31 23:59 UTC". */
export function exactTime(time: string): string {
  return `${new Date(time).toISOString().slice(0, 'yyyy-mm-ddThh:mm'.length).replace('T', ' ')} UTC`;
}

/** The last whole day before then, such as "17 Feb 2027": what lasts until midnight is said to last until that day. */
export function lastDayBefore(time: string): string {
  return readableDate(timeOf(Date.parse(time) - 1));
}
