import { processVariables } from '../environment.ts';
import { attemptLimits, type DeadlineRetries, deadlineRetries, type RetryLimits } from './retries.ts';

/** Environment variable with another deadline than on AWS, for a slow machine. */
export const CONTROL_PLANE_DEADLINE = 'CONTROL_PLANE_DEADLINE_MS';

/**
 * The deadline of calls to ACM, API Gateway, EventBridge, Route 53 and Step Functions. It outlasts a burst of commands: ACM
 * takes five requests for certificates per second and account, so the last of forty at once is served after 8 s; Route 53
 * takes ten calls a second. A function that calls them has 55 s, enough for three calls in a row that take all of it.
 */
export const CONTROL_PLANE_DEADLINE_MS = 15_000;

/**
 * These services respond within a second. If one is silent, four attempts of 3 s, with the waits in between, end after 12.7
 * s.
 */
const ATTEMPTS_IN_DEADLINE = 5;

export function controlPlaneLimits(variables = processVariables): RetryLimits {
  const budgetMs = Number(variables(CONTROL_PLANE_DEADLINE) || CONTROL_PLANE_DEADLINE_MS);
  return {
    budgetMs,
    attemptTimeoutMs: budgetMs / ATTEMPTS_IN_DEADLINE,
    firstDelayMs: 100,
    longestDelayMs: 2000,
  };
}

interface ClientOptions {
  readonly retryStrategy?: DeadlineRetries;
  readonly maxAttempts: number;
  readonly requestHandler: ReturnType<typeof attemptLimits>;
}

type ClientClass<Client> = new (options: ClientOptions) => Client;

/** A client that retries until the deadline. */
export function controlPlaneClient<Client>(Client: ClientClass<Client>): Client {
  const limits = controlPlaneLimits();
  return new Client({
    retryStrategy: deadlineRetries(limits),
    // As many as fit into 15 s, with waits of 100 ms, 200 ms, 400 ms and so on up to 2 s.
    maxAttempts: 12,
    requestHandler: attemptLimits(limits.attemptTimeoutMs),
  });
}

/** A client whose caller repeats what failed. Its one attempt may take as long as all attempts of other clients together. */
export function oneAttemptClient<Client>(Client: ClientClass<Client>): Client {
  return new Client({ maxAttempts: 1, requestHandler: attemptLimits(controlPlaneLimits().budgetMs) });
}

/** A client for a function that somebody waits for: one attempt, as short as each of other clients. What fails is tried on a schedule. */
export function briefClient<Client>(Client: ClientClass<Client>): Client {
  return new Client({ maxAttempts: 1, requestHandler: attemptLimits(controlPlaneLimits().attemptTimeoutMs) });
}
