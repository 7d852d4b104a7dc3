import { deadlineRetries } from './deadline-retries.ts';

/**
 * ACM takes five requests for certificates per second and account, so the last of forty at once is served after 8 s; Route 53
 * takes ten calls a second. A command makes a few such calls one after another, and its function has 55 s.
 */
const LIMITS = { budgetMs: 15_000, attemptTimeoutMs: 3000, firstDelayMs: 100, longestDelayMs: 2000 };

/** What a retry can reach at most: 15 s with waits of 100 ms, 200 ms, 400 ms and so on up to 2 s. */
const MAX_ATTEMPTS = 12;

/** The settings of clients of ACM, API Gateway, Route 53 and Step Functions: they outlast a burst of commands. */
export function controlPlaneRetries() {
  return { retryStrategy: deadlineRetries(LIMITS), maxAttempts: MAX_ATTEMPTS };
}

/** Whether AWS has refused a call because of its rate. */
export function isThrottling(error: unknown): boolean {
  return error instanceof Error && /Throttl|TooManyRequests|PriorRequestNotComplete/.test(error.name);
}
