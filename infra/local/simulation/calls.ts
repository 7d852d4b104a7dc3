import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import { type Actor, SECOND_MS, type VirtualTime } from './virtual-time.ts';

export type ServiceName =
  | 'dynamodb'
  | 'acm'
  | 'apigateway'
  | 'route53'
  | 'states'
  | 'events'
  | 'dns'
  | 'https';

/** A call of an AWS service, as one attempt of the SDK makes it. */
export interface Call {
  readonly actor: Actor;
  readonly service: ServiceName;
  readonly operation: string;
  readonly input: unknown;
  /** Shared by all attempts of one call, like the idempotency token that the SDK generates. */
  readonly token: object;
}

/**
 * What happens to one attempt: whether it takes effect, whether its caller hears of it, and how long it takes. While an
 * invocation stalls, its timers do not run either: it gives up on nothing and goes on with the response.
 */
export interface Fate {
  readonly kind: 'ok' | 'stall' | 'crash before' | 'crash after' | 'throttled' | 'response lost' | 'conflict';
  readonly latencyMs: number;
}

/** A service: takes a call, changes the resources of the account, and gives the SDK's output or an AwsApiError. It waits for nothing. */
export type Service = (call: Call) => unknown;

/** AWS completes an attempt whose caller died or gave up on it, but not later than this afterwards. */
const COMPLETED_WITHIN_MS = 5 * SECOND_MS;

/** When a client gives up on an attempt, and on a call. */
export interface CallLimits {
  /** From the first attempt to the last response. */
  readonly budgetMs: number;
  readonly attemptTimeoutMs: number;
  /** Between two attempts. */
  readonly longestDelayMs: number;
  /** Whether a client repeats a call after this error of the service. */
  isRetried?(error: Error): boolean;
}

/** DNS and HTTPS have limits of their own, which are part of what they return. */
export const ONE_ATTEMPT: CallLimits = {
  budgetMs: 0,
  attemptTimeoutMs: Number.POSITIVE_INFINITY,
  longestDelayMs: 0,
};

interface CallsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly fateOf: (call: Call) => Fate;
  readonly random: Random;
}

/**
 * The network between the service and AWS. Every call takes time, in which other invocations go on. A call may be
 * throttled, its response may be lost or late, and its caller may crash just before or just after it takes effect. A write to
 * DynamoDB may conflict with a transaction. The model also does the retries of the service's clients, within their limits.
 */
export function calls({ time, trace, services, fateOf, random }: CallsParts) {
  return (
    service: ServiceName,
    operation: string,
    input: unknown,
    { budgetMs, attemptTimeoutMs, longestDelayMs, isRetried }: CallLimits,
  ): Promise<unknown> => {
    const actor = time.actor;
    if (actor === undefined) throw new Error(`${operation} is called outside of an invocation.`);
    const call = { actor, service, operation, input, token: {} };
    const startedAtMs = time.nowMs;
    return new Promise((resolve, reject) => {
      const attempt = () => {
        if (actor.diedAtMs !== undefined) return;
        const { kind, latencyMs } = fateOf(call);
        if (kind === 'crash before') {
          trace.note(call, 'crash before it');
          actor.die(new AwsApiError('Lambda.Unknown', `crashed before ${operation}`));
          return;
        }
        const givesUpAfterMs = kind === 'stall' ? Number.POSITIVE_INFINITY : attemptTimeoutMs;
        const isGivenUp = latencyMs > givesUpAfterMs;
        if (isGivenUp) time.after(givesUpAfterMs, actor, () => retry(noResponse()));
        if (latencyMs <= givesUpAfterMs + COMPLETED_WITHIN_MS) {
          time.after(latencyMs, actor, () => arrive(kind, isGivenUp));
        }
      };
      const noResponse = () => {
        actor.hasMetFault = true;
        return new AwsApiError('TimeoutError', `no response to ${operation}`);
      };
      const retry = (error: Error) => {
        const delayMs = random.between(10, longestDelayMs);
        const isOver = time.nowMs - startedAtMs + delayMs + attemptTimeoutMs > budgetMs;
        if (!isOver) return void time.after(delayMs, actor, attempt);
        actor.gaveUpAtMs = time.nowMs;
        reject(error);
      };
      const arrive = (kind: Fate['kind'], isGivenUp: boolean) => {
        const isTooLate = actor.diedAtMs !== undefined && time.nowMs > actor.diedAtMs + COMPLETED_WITHIN_MS;
        if (isTooLate) return;
        const respond = (act: () => void) => {
          if (!isGivenUp && actor.diedAtMs === undefined) act();
        };
        if (kind === 'throttled' || kind === 'conflict') actor.hasMetFault = true;
        if (kind === 'conflict') {
          trace.note(call, 'conflict');
          const error = conflictOf(call);
          // The client of DynamoDB retries a conflict of one item by itself, but not that of a transaction.
          return respond(() =>
            error.name === 'TransactionCanceledException' ? reject(error) : retry(error),
          );
        }
        if (kind === 'throttled') {
          trace.note(call, 'throttled');
          return respond(() => retry(new AwsApiError('ThrottlingException', `${operation} is throttled`)));
        }
        const perform = async () => services[service](call);
        perform().then(
          output => {
            trace.note(call, isGivenUp ? 'late' : kind === 'ok' ? undefined : kind);
            respond(() => {
              if (kind === 'crash after')
                actor.die(new AwsApiError('Lambda.Unknown', `crashed after ${operation}`));
              else if (kind === 'response lost') retry(noResponse());
              else resolve(output);
            });
          },
          (error: Error) => {
            trace.note(call, error.name);
            // An error of the service is delivered whatever the fate: a refused call has no effect that could go unnoticed.
            respond(() => (isRetried?.(error) ? retry(error) : reject(error)));
          },
        );
      };
      attempt();
    });
  };
}

/** The error of a write whose items another transaction is changing: nothing is written. */
function conflictOf({ operation, input }: Call): Error {
  const message = 'Transaction is ongoing for the item';
  if (operation !== 'TransactWriteItems') return new AwsApiError('TransactionConflictException', message);
  const { TransactItems = [] } = input as TransactWriteCommandInput;
  const CancellationReasons = TransactItems.map((_, position) => ({
    Code: position === 0 ? 'TransactionConflict' : 'None',
  }));
  return Object.assign(new AwsApiError('TransactionCanceledException', message), { CancellationReasons });
}
