/** Whether one more request is within the limits; if so, it is counted. */
export type Throttle = () => boolean;

/** The limits of an account in most regions, for the one of the two that a stage does not set. */
const ACCOUNT_RATE_PER_SECOND = 10_000;
const ACCOUNT_BURST = 5_000;

/**
 * A token bucket that holds `burst` tokens, starts full and is refilled with `ratePerSecond` tokens a second. Without
 * limits nothing is throttled: the local runtime does not reach the limits of an account.
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
