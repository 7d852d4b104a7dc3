import type { VirtualTime as Scheduler } from '../../infra/local/test/stepfunctions/virtual-time.ts';
import type { Random } from './random.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An invocation of a function, which makes calls until it ends or dies. */
export interface Actor {
  readonly name: string;
  readonly environment: string;
  /** The project that it works for; undefined for scheduled work, which is for all. */
  readonly project: string | undefined;
  /** Whether a call of it was throttled, or the response to one was lost. */
  hasMetFault: boolean;
  /** When a call of it failed for good, after all retries. */
  gaveUpAtMs: number | undefined;
  startedAtMs: number;
  diedAtMs: number | undefined;
  /** Whether it returned by itself, and so had the time to undo what it should. */
  isDone: boolean;
  /** Ends it between two calls, as a crash does. Its caller receives the error. */
  die(error: Error): void;
}

/** The clock of a simulation, whose actors are invocations. */
export type VirtualTime = Scheduler<Actor>;

/**
 * Lets the waits of the service's own code pass in virtual time, with jitter that follows from the seed. Code outside of
 * an invocation keeps the real clock.
 */
export function divertTimers(current: () => { time: VirtualTime; random: Random } | undefined): void {
  const real = { setTimeout: globalThis.setTimeout, random: Math.random };
  const setTimeout = (callback: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) => {
    const { time } = current() ?? {};
    if (!time?.actor) return real.setTimeout(callback, delayMs, ...values);
    return time.after(Math.ceil(delayMs), time.actor, () => callback(...values));
  };
  Object.assign(globalThis, { setTimeout: Object.assign(setTimeout, real.setTimeout) });
  Math.random = () => {
    const world = current();
    return world?.time.actor ? world.random.next() : real.random();
  };
}
