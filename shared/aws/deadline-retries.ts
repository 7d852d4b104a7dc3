import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';

/**
 * From the first attempt to the last answer. A request of a client may wait for the authorizer and then for the operation:
 * together they give up after 4 s, so that with the way through API Gateway a client has its answer within 5 s.
 */
const BUDGET_MS = 3500;
const OPERATION_BUDGET_MS = 2300;
const AUTHORIZER_BUDGET_MS = 1700;

/**
 * The time-out of one attempt. DynamoDB answers within milliseconds; an answer that takes a second is lost. There is time
 * for two attempts of the authorizer and for two of the operation.
 */
const ATTEMPT_TIMEOUT_MS = 1000;
const AUTHORIZER_ATTEMPT_MS = 800;

/** Waits grow from 25 ms to 200 ms, so 8 quick failures fit into a second: enough where 25 % of requests fail. */
const FIRST_DELAY_MS = 25;
const LONGEST_DELAY_MS = 200;

export interface RetryLimits {
  readonly budgetMs: number;
  readonly attemptTimeoutMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

export const DYNAMODB_LIMITS: RetryLimits = {
  budgetMs: BUDGET_MS,
  attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
  firstDelayMs: FIRST_DELAY_MS,
  longestDelayMs: LONGEST_DELAY_MS,
};

/** The limits of the HTTP operations, which come after the authorizer. */
export const OPERATION_LIMITS: RetryLimits = { ...DYNAMODB_LIMITS, budgetMs: OPERATION_BUDGET_MS };

/** The limits of the authorizer, which every operation waits for. */
export const AUTHORIZER_LIMITS: RetryLimits = {
  ...DYNAMODB_LIMITS,
  budgetMs: AUTHORIZER_BUDGET_MS,
  attemptTimeoutMs: AUTHORIZER_ATTEMPT_MS,
};

interface Attempt extends RetryToken {
  readonly startedAtMs: number;
}

export interface DeadlineRetries extends RetryStrategyV2 {
  gaveUpOn(error: unknown): boolean;
}

/**
 * Retries until a deadline instead of by a quota: the SDK's own quota runs out under faults just when a retry would
 * still help, and its waits can exceed the time-out of the function. Remembers the errors that it gave up on, which
 * distinguishes an outage from a request that DynamoDB rejects.
 */
export function deadlineRetries(limits: RetryLimits = DYNAMODB_LIMITS): DeadlineRetries {
  const { budgetMs, attemptTimeoutMs, firstDelayMs, longestDelayMs } = limits;
  const outages = new WeakSet<object>();

  const attempt = (startedAtMs: number, count: number, delayMs: number): Attempt => ({
    startedAtMs,
    getRetryCount: () => count,
    getRetryDelay: () => delayMs,
  });

  return {
    async acquireInitialRetryToken() {
      return attempt(Date.now(), 0, 0);
    },
    async refreshRetryTokenForRetry(token: RetryToken, { error, errorType }: RetryErrorInfo) {
      if (errorType === 'CLIENT_ERROR' && !isConflict(error)) throw error;
      const { startedAtMs } = token as Attempt;
      const count = token.getRetryCount() + 1;
      const delayMs = jittered(Math.min(longestDelayMs, firstDelayMs * 2 ** (count - 1)));
      if (Date.now() - startedAtMs + delayMs + attemptTimeoutMs > budgetMs) {
        if (typeof error === 'object' && error !== null) outages.add(error);
        throw error;
      }
      return attempt(startedAtMs, count, delayMs);
    },
    recordSuccess() {},
    gaveUpOn: error => typeof error === 'object' && error !== null && outages.has(error),
  };
}

/**
 * A write of one item was refused because a transaction on that item is under way. The SDK takes that for a mistake of
 * the client, but it is over when the transaction is.
 */
function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === 'TransactionConflictException';
}

/** Half the wait is fixed and half is random, so that clients that failed together do not retry together. */
function jittered(delayMs: number): number {
  return delayMs / 2 + Math.random() * (delayMs / 2);
}
