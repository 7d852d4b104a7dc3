import type { Random } from './random.ts';
import type { Trace } from './trace.ts';
import { type Actor, SECOND_MS, type VirtualTime } from './virtual-time.ts';

export type ServiceName = 'dynamodb' | 'acm' | 'apigateway' | 'route53' | 'states' | 'dns';

/** A call of an AWS service, as one attempt of the SDK makes it. */
export interface Call {
  readonly actor: Actor;
  readonly service: ServiceName;
  readonly operation: string;
  readonly input: unknown;
  /** The same for all attempts of one call, as the tokens are that the SDK invents. */
  readonly token: object;
}

/** What becomes of an attempt. */
export interface Fate {
  readonly kind: 'answered' | 'crash before' | 'crash after' | 'throttled' | 'answer lost';
  readonly latencyMs: number;
}

/** A model of a service: takes a call, changes what the account holds, and answers or throws as the SDK would. */
export type Service = (call: Call) => unknown;

/** AWS completes what has reached it before the caller died, and does so soon. */
const COMPLETED_WITHIN_MS = 5 * SECOND_MS;

/** Before the next attempt the SDK waits up to 20 s, usually far less. */
const LONGEST_BACKOFF_MS = 20 * SECOND_MS;

export interface CallsParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  readonly services: Readonly<Record<ServiceName, Service>>;
  readonly fateOf: (call: Call) => Fate;
  readonly random: Random;
}

/**
 * What lies between the code and AWS. Every call takes time, in which others go on. It may be turned away, its answer may
 * be lost, and whoever makes it may end just before or just after it takes effect. The SDK's own attempts are made here.
 */
export function calls({ time, trace, services, fateOf, random }: CallsParts) {
  return (service: ServiceName, operation: string, input: unknown, attempts: number): Promise<unknown> => {
    const actor = time.actor;
    if (actor === undefined) throw new Error(`Nobody is known to call ${operation}.`);
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
      const again = (count: number, error: Error) => {
        if (count >= attempts) return reject(error);
        const longestMs = Math.min(100 * 2 ** count, LONGEST_BACKOFF_MS);
        time.after(random.between(10, longestMs), actor, () => attempt(count + 1));
      };
      const arrive = (kind: Fate['kind'], count: number) => {
        const isTooLate = actor.diedAtMs !== undefined && time.nowMs > actor.diedAtMs + COMPLETED_WITHIN_MS;
        if (isTooLate) return;
        if (kind === 'throttled') {
          trace.note(call, 'throttled');
          return again(count, named('ThrottlingException', `${operation} is throttled`));
        }
        let answer: () => void;
        try {
          const output = services[service](call);
          trace.note(call, kind === 'answered' ? undefined : kind);
          answer = () => resolve(output);
        } catch (error) {
          trace.note(call, (error as Error).name);
          // What is refused has no effect, so nothing is lost with the answer.
          return reject(error);
        }
        if (actor.diedAtMs !== undefined) return;
        if (kind === 'crash after') return actor.die(named('Lambda.Unknown', `crashed after ${operation}`));
        if (kind === 'answer lost') return again(count, named('TimeoutError', `no answer to ${operation}`));
        answer();
      };
      attempt(1);
    });
  };
}

export function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
