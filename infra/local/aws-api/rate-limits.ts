import type { AwsApiError } from './aws-api-error.ts';
import type { RateLimit } from './operation.ts';

interface TokenBucketOptions {
  readonly ratePerSecond: number;
  readonly burst: number;
  /** With shorter waits the schedules, flows and operators call more often, so the rate grows by the same factor. */
  readonly waitScale?: number;
  now(): number;
  refusal(): AwsApiError;
}

/** Admits `burst` requests at once and `ratePerSecond` on average. */
export function tokenBucket({ now, refusal, waitScale = 1, ...limits }: TokenBucketOptions): RateLimit {
  const ratePerSecond = waitScale > 0 ? limits.ratePerSecond / waitScale : Number.MAX_VALUE;
  const mayPass = throttle({ ...limits, ratePerSecond }, now);
  return () => (mayPass() ? undefined : refusal());
}

interface IntervalOptions {
  readonly intervalMs: number;
  now(): number;
  refusal(retryAfterSeconds: number): AwsApiError;
}

/** Admits one request in each interval. A refused request does not start a new interval. */
export function oncePerInterval({ intervalMs, now, refusal }: IntervalOptions): RateLimit {
  let nextMs = 0;
  return () => {
    const waitMs = nextMs - now();
    if (waitMs > 0) return refusal(Math.ceil(waitMs / 1000));
    nextMs = now() + intervalMs;
    return undefined;
  };
}

/** Whether one more request is within the limits; if so, it is counted. */
export type Throttle = () => boolean;

/** The limits of an account in most regions, for the one of the two that a stage does not set. */
const ACCOUNT_RATE_PER_SECOND = 10_000;
const ACCOUNT_BURST = 5_000;

/**
 * A token bucket that holds `burst` tokens, starts full and is refilled with `ratePerSecond` tokens a second. Without
 * limits nothing is throttled: the local AWS does not reach the limits of an account.
 */
export function throttle(
  limits: { ratePerSecond?: number | undefined; burst?: number | undefined },
  now: () => number,
): Throttle {
  if (limits.ratePerSecond === undefined && limits.burst === undefined) return () => true;
  const { ratePerSecond = ACCOUNT_RATE_PER_SECOND, burst = ACCOUNT_BURST } = limits;
  let tokens = burst;
  let filledAtMs = now();
  return () => {
    const nowMs = now();
    // A clock that is set back must not empty the bucket.
    const elapsedSeconds = Math.max(0, nowMs - filledAtMs) / 1000;
    tokens = Math.min(burst, tokens + elapsedSeconds * ratePerSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
