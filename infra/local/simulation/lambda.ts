import { AwsApiError } from '../aws-api/aws-api-error.ts';
import type { Principal } from '../iam/principal.ts';
import type { Trace } from './trace.ts';
import type { Actor, Purpose, VirtualTime } from './virtual-time.ts';

interface LambdaParts {
  readonly time: VirtualTime;
  readonly trace: Trace;
  /** From the request for an invocation to its first instruction: a warm start, or a cold one. */
  readonly startDelayMs: () => number;
  /** Called at the end of every invocation, whether it returned or died. */
  readonly onEnd: () => void;
}

interface Invocation {
  readonly name: string;
  readonly timeoutMs: number;
  readonly purpose: Purpose;
  readonly principal: Principal;
}

/** Runs functions. Each invocation is an actor, which dies when its timeout is over. */
export function lambdaModel({ time, trace, startDelayMs, onEnd }: LambdaParts) {
  let count = 0;
  let running = 0;
  const invoke = <Result>(
    { name, timeoutMs, purpose, principal }: Invocation,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    count += 1;
    running += 1;
    const label = `${name} #${count}`;
    return new Promise((resolve, reject) => {
      let timeout: { isCancelled: boolean } | undefined;
      const end = () => {
        actor.diedAtMs = time.nowMs;
        running -= 1;
        onEnd();
        if (timeout) timeout.isCancelled = true;
      };
      const actor: Actor = {
        name: label,
        purpose,
        principal,
        hasMetFault: false,
        gaveUpAtMs: undefined,
        startedAtMs: Number.NaN,
        diedAtMs: undefined,
        isDone: false,
        die(error) {
          if (actor.diedAtMs !== undefined) return;
          end();
          trace.say(label, `ended by ${error.name}: ${error.message}`);
          reject(error);
        },
      };
      time.after(startDelayMs(), actor, () => {
        actor.startedAtMs = time.nowMs;
        timeout = time.after(timeoutMs, undefined, () =>
          actor.die(new AwsApiError('Sandbox.Timedout', `not done within ${timeoutMs} ms`)),
        );
        work().then(
          result => {
            if (actor.diedAtMs !== undefined) return;
            end();
            actor.isDone = true;
            trace.say(label, () => `→ ${JSON.stringify(result).slice(0, 200)}`);
            resolve(result);
          },
          (error: Error) => actor.die(error),
        );
      });
    });
  };
  return {
    invoke,
    /** How many invocations have been requested and have not ended. */
    runningCount: () => running,
  };
}
