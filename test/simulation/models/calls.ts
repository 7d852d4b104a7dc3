import { ACMClient } from '@aws-sdk/client-acm';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { controlPlaneLimits } from '../../../shared/aws/control-plane.ts';
import { dynamoDbLimits, type RetryLimits } from '../../../shared/aws/retries.ts';
import type { Random } from '../random.ts';
import type { Trace } from '../trace.ts';
import { type Actor, SECOND_MS, type VirtualTime } from '../virtual-time.ts';

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

/** A model of a service: takes a call, changes the resources of the account, and returns or throws what the SDK would. */
export type Service = (call: Call) => unknown;

/** AWS completes an attempt whose caller died or gave up on it, but not later than this afterwards. */
const COMPLETED_WITHIN_MS = 5 * SECOND_MS;

/** When a client gives up on an attempt, and on a call. */
export type CallLimits = Omit<RetryLimits, 'firstDelayMs'>;

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
    { budgetMs, attemptTimeoutMs, longestDelayMs }: CallLimits,
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
          actor.die(named('Lambda.Unknown', `crashed before ${operation}`));
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
        return named('TimeoutError', `no response to ${operation}`);
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
            error instanceof TransactionCanceledException ? reject(error) : retry(error),
          );
        }
        if (kind === 'throttled') {
          trace.note(call, 'throttled');
          return respond(() => retry(named('ThrottlingException', `${operation} is throttled`)));
        }
        try {
          const output = services[service](call);
          trace.note(call, isGivenUp ? 'late' : kind === 'ok' ? undefined : kind);
          respond(() => {
            if (kind === 'crash after') actor.die(named('Lambda.Unknown', `crashed after ${operation}`));
            else if (kind === 'response lost') retry(noResponse());
            else resolve(output);
          });
        } catch (error) {
          trace.note(call, (error as Error).name);
          // An error of the service is delivered whatever the fate: a refused call has no effect that could go unnoticed.
          respond(() => reject(error));
        }
      };
      attempt();
    });
  };
}

export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** The error of a write whose items another transaction is changing: nothing is written. */
function conflictOf({ operation, input }: Call): Error {
  const message = 'Transaction is ongoing for the item';
  if (operation !== 'TransactWriteItems') {
    return new TransactionConflictException({ message, $metadata: {} });
  }
  const { TransactItems = [] } = input as TransactWriteCommandInput;
  return new TransactionCanceledException({
    message,
    $metadata: {},
    CancellationReasons: TransactItems.map((_, position) => ({
      Code: position === 0 ? 'TransactionConflict' : 'None',
    })),
  });
}

const CLIENTS: readonly (readonly [ServiceName, { readonly prototype: object }])[] = [
  ['dynamodb', DynamoDBDocumentClient],
  ['acm', ACMClient],
  ['apigateway', APIGatewayClient],
  ['route53', Route53Client],
  ['states', SFNClient],
  ['events', EventBridgeClient],
];

/** Tests set longer limits than those on AWS by variables, for machines on which everything is slow. */
const asOnAws = () => undefined;

type Send = ReturnType<typeof calls>;

/** Makes all clients of the SDK in this process pass their commands to `send` instead of sending them to AWS. */
export function divertClients(send: Send): void {
  for (const [service, { prototype }] of CLIENTS) {
    Object.assign(prototype, {
      async send(this: Client, command: Command) {
        const limits = (service === 'dynamodb' ? dynamoDbLimits : controlPlaneLimits)(asOnAws);
        // A client with one attempt gives it the time of all.
        const isOnce = (await this.config.maxAttempts()) === 1;
        const attemptTimeoutMs = isOnce ? limits.budgetMs : limits.attemptTimeoutMs;
        return send(service, operationOf(command), command.input, { ...limits, attemptTimeoutMs });
      },
    });
  }
}

interface Client {
  readonly config: { maxAttempts(): Promise<number> };
}

interface Command {
  readonly input: unknown;
  /** A command of the document client has the command with AWS's name inside: GetItem in Get. */
  readonly clientCommand?: object;
}

const operations = new Map<unknown, string>();

function operationOf(command: Command): string {
  const { constructor: kind } = command.clientCommand ?? command;
  const operation = operations.get(kind) ?? kind.name.replace(/Command$/, '');
  operations.set(kind, operation);
  return operation;
}
