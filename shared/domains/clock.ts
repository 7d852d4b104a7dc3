import { processVariables, type Variables } from '../environment.ts';

/**
 * The time, and how long waits and deadlines take. On one machine all waits can be scaled down (`npm start -- --wait-scale`).
 * State machines scale their waits themselves, so a pass returns unscaled ones.
 */
export interface Clock {
  now(): number;
  /** The scaled duration, in the same unit. */
  scaled(duration: number): number;
  /** The inverse of `scaled`. */
  unscaled(duration: number): number;
}

export function clock(scale = 1, now = Date.now): Clock {
  return { now, scaled: duration => duration * scale, unscaled: duration => duration / scale };
}

/** The clock of a function. Its environment has the scale if that isn't 1. */
export function functionClock(variables: Variables = processVariables): Clock {
  return clock(Number(variables('WAIT_SCALE') || 1));
}

/** A time as it is stored: RFC 3339, in UTC. */
export function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

/** Created once: that takes longer than a thousand uses of them, and a list of domains has many times. */
const formats: Partial<Record<'date' | 'time', Intl.DateTimeFormat>> = {};
const DATE = { dateStyle: 'medium', timeZone: 'UTC' } as const;

/** A stored time as messages have it: `24 Nov 2026, 13:05 UTC`. */
export function readableTime(time: string): string {
  formats.time ??= new Intl.DateTimeFormat('en-GB', { ...DATE, timeStyle: 'short' });
  return `${formats.time.format(new Date(time))} UTC`;
}

/** Its date alone: `24 Nov 2026`. */
export function readableDate(time: string): string {
  formats.date ??= new Intl.DateTimeFormat('en-GB', DATE);
  return formats.date.format(new Date(time));
}
