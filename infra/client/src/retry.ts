import type { PetstoreError } from './petstore-error.ts';

/** What a retry takes from the outside, so that tests need not wait. */
export interface Clock {
  now(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Ends early, with the reason of the signal, when the signal is aborted. */
  sleep(delayMs: number, signal: AbortSignal | undefined): Promise<void>;
}

/** With a cap that doubles from here, the waits of eight attempts last for 13 seconds at most, half of it on average. */
const FIRST_CAP_MS = 100;
const HIGHEST_CAP_MS = 10_000;

/** The longest Retry-After that is waited for; the caller decides about a longer one. */
const MAX_RETRY_AFTER_SECONDS = 30;

const RETRIED_STATUSES = [429, 500, 502, 503, 504];

/**
 * How long to wait before the next attempt, or undefined when another attempt cannot help. Exponential backoff with
 * full jitter; where the service says how long to wait, the jitter is added to that.
 */
export function retryDelayMs(
  { code, status, retryAfter = 0 }: PetstoreError,
  attempt: number,
  clock: Clock,
): number | undefined {
  if (code !== 'network_error' && !RETRIED_STATUSES.includes(status)) return undefined;
  if (retryAfter > MAX_RETRY_AFTER_SECONDS) return undefined;
  const capMs = Math.min(HIGHEST_CAP_MS, FIRST_CAP_MS * 2 ** (attempt - 1));
  return retryAfter * 1000 + clock.random() * capMs;
}

/** The seconds of a Retry-After header, which has a number of seconds or a date. */
export function retryAfterSeconds(header: string | null, nowMs: number): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - nowMs) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(delayMs, signal) {
    signal?.throwIfAborted();
    let wake = () => {};
    const slept = new Promise<void>(resolve => {
      wake = resolve;
    });
    const timer = setTimeout(wake, delayMs);
    signal?.addEventListener('abort', wake, { once: true });
    await slept;
    clearTimeout(timer);
    signal?.removeEventListener('abort', wake);
    signal?.throwIfAborted();
  },
};
