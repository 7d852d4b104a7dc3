import { relativeTime } from '../../cli/framework/readable-times.ts';

/** The time as the clock of the reader shows it, for a tooltip. */
export function localTime(time: string): string {
  return new Date(time).toLocaleString();
}

/** The time until then: 0:08, 4:32, 1 h 20 min; "any moment" when it is over. */
export function countdown(time: string, nowMs: number): string {
  const seconds = Math.ceil((Date.parse(time) - nowMs) / 1000);
  if (seconds <= 0) return 'any moment';
  if (seconds < 3600) return `in ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return `in ${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** The time since then, to the second: a check is mostly some seconds ago. */
export function since(time: string, nowMs: number): string {
  const seconds = Math.max(0, Math.floor((nowMs - Date.parse(time)) / 1000));
  return seconds < 60 ? `${seconds} s ago` : relativeTime(time, nowMs);
}
