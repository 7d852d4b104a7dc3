import { ACMClient } from '@aws-sdk/client-acm';
import { APIGatewayClient } from '@aws-sdk/client-api-gateway';
import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { Route53Client } from '@aws-sdk/client-route-53';
import { SFNClient } from '@aws-sdk/client-sfn';
import { DynamoDBDocumentClient, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
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
  /** The same for all attempts of one call, as the idempotency token is that the SDK generates. */
  readonly token: object;
}

/** What happens to one attempt: whether it takes effect, whether its caller hears of it, and how long it takes. */
export interface Fate {
  readonly kind: 'ok' | 'crash before' | 'crash after' | 'throttled' | 'response lost' | 'conflict';
  readonly latencyMs: number;
}

/** A model of a service: takes a call, changes the resources of the account, and returns or throws what the SDK would. */
export type Service = (call: Call) => unknown;

/** AWS completes a call whose caller died while it was under way, but not later than this after the death. */
const COMPLETED_WITHIN_MS = 5 * SECOND_MS;

/** The SDK backs off for 20 s at most before the next attempt. */
const MAX_BACKOFF_MS = 20 * SECOND_MS;

interface CallsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly fateOf: (call: Call) => Fate;
  readonly random: Random;
}

/**
 * The network between the service and AWS. Every call takes time, in which other invocations go on. A call may be
 * throttled, its response may be lost, and its caller may crash just before or just after it takes effect. A write to
 * DynamoDB may conflict with a transaction. The model also does the retries of the SDK.
 */
export function calls({ time, trace, services, fateOf, random }: CallsParts) {
  return (service: ServiceName, operation: string, input: unknown, attempts: number): Promise<unknown> => {
    const actor = time.actor;
    if (actor === undefined) throw new Error(`${operation} is called outside of an invocation.`);
    const call = { actor, service, operation, input, token: {} };
    return new Promise((resolve, reject) => {
      const attempt = (count: number) => {
        if (actor.diedAtMs !== undefined) return;
        const { kind, latencyMs } = fateOf(call);
        if (kind === 'crash before') {
          trace.note(call, 'crash before it');
          actor.die(named('Lambda.Unknown', `crashed before ${operation}`));
          return;
        }
        time.after(latencyMs, actor, () => arrive(kind, count));
      };
      const retry = (count: number, error: Error) => {
        if (count >= attempts) return reject(error);
        const maxBackoffMs = Math.min(100 * 2 ** count, MAX_BACKOFF_MS);
        time.after(random.between(10, maxBackoffMs), actor, () => attempt(count + 1));
      };
      const arrive = (kind: Fate['kind'], count: number) => {
        const isTooLate = actor.diedAtMs !== undefined && time.nowMs > actor.diedAtMs + COMPLETED_WITHIN_MS;
        if (isTooLate) return;
        if (kind === 'throttled' || kind === 'response lost' || kind === 'conflict') actor.hasMetFault = true;
        if (kind === 'conflict') {
          trace.note(call, 'conflict');
          const error = conflictOf(call);
          // The client of DynamoDB retries a conflict of one item by itself, but not that of a transaction.
          return error instanceof TransactionCanceledException ? reject(error) : retry(count, error);
        }
        if (kind === 'throttled') {
          trace.note(call, 'throttled');
          return retry(count, named('ThrottlingException', `${operation} is throttled`));
        }
        let respond: () => void;
        try {
          const output = services[service](call);
          trace.note(call, kind === 'ok' ? undefined : kind);
          respond = () => resolve(output);
        } catch (error) {
          trace.note(call, (error as Error).name);
          // An error of the service is delivered whatever the fate: a refused call has no effect that could go unnoticed.
          return reject(error);
        }
        if (actor.diedAtMs !== undefined) return;
        if (kind === 'crash after') return actor.die(named('Lambda.Unknown', `crashed after ${operation}`));
        if (kind === 'response lost')
          return retry(count, named('TimeoutError', `no response to ${operation}`));
        respond();
      };
      attempt(1);
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

/** The client of DynamoDB retries until its deadline, which is about this often. */
const MOST_ATTEMPTS = 8;

type Send = (service: ServiceName, operation: string, input: unknown, attempts: number) => Promise<unknown>;

/** Makes all clients of the SDK in this process pass their commands to `send` instead of sending them to AWS. */
export function divertClients(send: Send): void {
  for (const [service, { prototype }] of CLIENTS) {
    Object.assign(prototype, {
      async send(this: Client, command: Command) {
        const attempts = Math.min(await this.config.maxAttempts(), MOST_ATTEMPTS);
        return send(service, operationOf(command), command.input, attempts);
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
