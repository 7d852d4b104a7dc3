import { named } from './calls.ts';
import type { Trace } from './trace.ts';
import type { Actor, VirtualTime } from './virtual-time.ts';

export interface LambdaParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  /** From the request for an invocation to its first instruction: a warm start, or a cold one. */
  readonly startDelayMs: () => number;
  /** Told of the end of every invocation, good or bad. */
  readonly onEnd: () => void;
}

/** Runs functions, each invocation an actor that ends when its time is up. */
export function lambdaModel({ time, trace, startDelayMs, onEnd }: LambdaParts) {
  let count = 0;
  let atWork = 0;
  const invoke = <Result>(name: string, timeoutMs: number, work: () => Promise<Result>): Promise<Result> => {
    count += 1;
    atWork += 1;
    const label = `${name} #${count}`;
    return new Promise((resolve, reject) => {
      let limit: { isCancelled: boolean } | undefined;
      const over = () => {
        actor.diedAtMs = time.nowMs;
        atWork -= 1;
        onEnd();
        if (limit) limit.isCancelled = true;
      };
      const actor: Actor = {
        name: label,
        startedAtMs: Number.NaN,
        diedAtMs: undefined,
        isDone: false,
        die(error) {
          if (actor.diedAtMs !== undefined) return;
          over();
          trace.say(label, `ended by ${error.name}: ${error.message}`);
          reject(error);
        },
      };
      time.after(startDelayMs(), actor, () => {
        actor.startedAtMs = time.nowMs;
        limit = time.after(timeoutMs, undefined, () =>
          actor.die(named('Sandbox.Timedout', `not done within ${timeoutMs} ms`)),
        );
        work().then(
          result => {
            if (actor.diedAtMs !== undefined) return;
            over();
            actor.isDone = true;
            trace.say(label, `→ ${JSON.stringify(result).slice(0, 200)}`);
            resolve(result);
          },
          (error: Error) => actor.die(error),
        );
      });
    });
  };
  return {
    invoke,
    /** How many invocations there are that have not ended. */
    atWork: () => atWork,
  };
}
