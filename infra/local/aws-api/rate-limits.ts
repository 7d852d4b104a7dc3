import type { AwsApiError } from './aws-api-error.ts';
import type { RateLimit } from './operation.ts';
import { throttle } from './throttle.ts';

export interface TokenBucketOptions {
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

export interface IntervalOptions {
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
