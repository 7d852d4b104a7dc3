/** Answers whether one more request may pass, and counts it if so. */
export type Throttle = () => boolean;

/** The account's limits in most regions, which count where a stage sets only one of the two. */
const ACCOUNT_RATE_PER_SECOND = 10_000;
const ACCOUNT_BURST = 5_000;

/**
 * A token bucket: it holds `burst` tokens, starts full and gets `ratePerSecond` of them a second. A stage that
 * limits nothing is not throttled: the account's limits are not for one machine to reach.
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
    // A clock that was set back must not empty the bucket.
    const elapsedSeconds = Math.max(0, nowMs - filledAtMs) / 1000;
    tokens = Math.min(burst, tokens + elapsedSeconds * ratePerSecond);
    filledAtMs = nowMs;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}
