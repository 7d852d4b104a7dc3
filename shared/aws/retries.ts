import type { RetryErrorInfo, RetryStrategyV2, RetryToken } from '@smithy/types';
import { processVariables } from '../environment.ts';

/** An AWS service did not respond before the deadline. The same request may succeed later. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';
}

/** Environment variable with the deadline of a DynamoDB call, from the first attempt to the last response. */
export const DYNAMODB_DEADLINE = 'DYNAMODB_DEADLINE_MS';

/**
 * The stack sets this deadline. A client may have to wait for the authorizer and then for the operation: together they give up
 * after 4 s, so a client gets its response within 5 s, including the way through API Gateway.
 */
export const AUTHORIZER_DEADLINE_MS = 1700;
export const OPERATION_DEADLINE_MS = 2300;

/** The deadline of all other functions. */
const DEFAULT_DEADLINE_MS = 3500;

export interface RetryLimits {
  /** From the first attempt to the last response. */
  readonly budgetMs: number;
  readonly attemptTimeoutMs: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
}

/** The limits of this function's calls to DynamoDB. */
export function dynamoDbLimits(variables = processVariables): RetryLimits {
  const budgetMs = Number(variables(DYNAMODB_DEADLINE) || DEFAULT_DEADLINE_MS);
  return {
    budgetMs,
    attemptTimeoutMs: attemptTimeout(budgetMs),
    // Waits grow from 25 ms to 200 ms, so 8 quick failures fit into a second: enough even if 25% of requests fail.
    firstDelayMs: 25,
    longestDelayMs: 200,
  };
}

/**
 * DynamoDB responds within milliseconds; a response that takes a second is lost. An attempt gets less time if two wouldn't
 * fit into the deadline. A long deadline means that everything is slow, so an attempt may take a quarter of it.
 */
function attemptTimeout(budgetMs: number): number {
  return Math.max(Math.min(1000, (budgetMs - 100) / 2), budgetMs / 4);
}

/**
 * The limits of one attempt, for a client's request handler: without them the SDK waits forever. A connection that stayed
 * open while Lambda froze the function may be silent instead of closed; the attempt then ends with a TimeoutError, and
 * every retry strategy tries again on another connection.
 */
export function attemptLimits(responseMs: number, connectionMs = responseMs) {
  return {
    connectionTimeout: connectionMs,
    // Up to the first byte of the response. Otherwise the SDK would only warn.
    requestTimeout: responseMs,
    throwOnRequestTimeout: true,
    // For a response that stalls.
    socketTimeout: responseMs,
  };
}

/** Whether AWS throttled a call. */
export function isThrottling(error: unknown): boolean {
  return error instanceof Error && /Throttl|TooManyRequests|PriorRequestNotComplete/.test(error.name);
}

interface Attempt extends RetryToken {
  readonly startedAtMs: number;
}

export interface DeadlineRetries extends RetryStrategyV2 {
  gaveUpOn(error: unknown): boolean;
}

/**
 * Retries until a deadline instead of by a quota: the SDK's own quota runs out under faults just when a retry would
 * still help, and its waits can exceed the function's timeout. Remembers the errors it gave up on, to tell an outage from a
 * request that DynamoDB rejects.
 */
export function deadlineRetries(limits: RetryLimits): DeadlineRetries {
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
 * A write of one item was refused because a transaction on that item is in progress. The SDK considers that the client's
 * mistake, but it passes once the transaction ends.
 */
function isConflict(error: unknown): boolean {
  return error instanceof Error && error.name === 'TransactionConflictException';
}

/** Half the wait is fixed and half is random, so that clients that failed together don't retry together. */
function jittered(delayMs: number): number {
  return delayMs / 2 + Math.random() * (delayMs / 2);
}
