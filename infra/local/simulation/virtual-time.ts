import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import type { Principal } from '../iam/principal.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Random } from './random.ts';

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;

/** An invocation of a function, which makes calls until it ends or dies. */
export interface Actor {
  readonly name: string;
  /** Its role. */
  readonly principal: Principal;
  /** What it works for, as the one who invoked it says. */
  readonly purpose: Purpose;
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

export type Purpose = Readonly<Record<string, string | undefined>>;

/** An arbitrary start: no test depends on the date. */
const START_MS = Date.UTC(2026, 0, 31, 12);

/** Something that will happen at a time. */
interface ScheduledEvent {
  readonly atMs: number;
  isCancelled: boolean;
}

interface Scheduled extends ScheduledEvent {
  readonly actor: Actor | undefined;
  readonly run: () => void;
}

/**
 * A clock and a scheduler: waits pass in virtual time. An event runs only when every promise that follows from the event
 * before has settled. So a call always belongs to the current `actor`, and every run is the same.
 */
export class VirtualTime {
  nowMs = START_MS;
  /** Whose code runs at the moment. */
  actor: Actor | undefined;
  /** In the order of their times. */
  readonly #queue: Scheduled[] = [];

  after(delayMs: number, actor: Actor | undefined, run: () => void): ScheduledEvent {
    const scheduled = { atMs: this.nowMs + delayMs, actor, run, isCancelled: false };
    // Of two events at the same time, the one that was scheduled first comes first.
    const before = this.#queue.findLastIndex(({ atMs }) => atMs <= scheduled.atMs);
    this.#queue.splice(before + 1, 0, scheduled);
    return scheduled;
  }

  /** For those who are not actors. */
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      this.after(ms, undefined, resolve);
    });
  }

  /**
   * Runs events until none is left or `isOver` holds. Throws when an event is later than the limit; `unfinished` says what
   * it was waiting for.
   */
  run(
    isOver: () => boolean,
    limitMs: number,
    afterEach: () => void,
    unfinished: () => string = () => '',
  ): Promise<void> {
    let hasRunEvent = false;
    return repeatWhenPromisesSettle(() => {
      if (hasRunEvent) {
        this.actor = undefined;
        afterEach();
      }
      const next = isOver() ? undefined : this.#next();
      if (next === undefined) return false;
      if (next.atMs > limitMs)
        throw new Error(`Not over by ${new Date(limitMs).toISOString()}: ${unfinished()}`);
      this.nowMs = next.atMs;
      this.actor = next.actor;
      hasRunEvent = true;
      next.run();
      return true;
    });
  }

  /** Takes the next event that was not cancelled from the queue. */
  #next(): Scheduled | undefined {
    let next = this.#queue.shift();
    while (next?.isCancelled) next = this.#queue.shift();
    return next;
  }
}

/** A turn of Node's event loop costs more than many an event, so it runs several of them. */
const REPEATS_PER_TURN = 16;

/**
 * Repeats an act while it returns true, each time when every promise that follows from the time before has settled: Node
 * runs every promise callback, however long the chain, before it runs the next immediate.
 */
function repeatWhenPromisesSettle(act: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let isOver = false;
    const repeat = () => {
      if (isOver) return;
      try {
        isOver = !act();
        if (isOver) resolve();
      } catch (error) {
        isOver = true;
        reject(error);
      }
    };
    const turn = () => {
      if (isOver) return;
      for (let count = 0; count < REPEATS_PER_TURN; count += 1) setImmediate(repeat);
      setImmediate(turn);
    };
    turn();
  });
}

/** Waits in virtual time for those who are not actors, until the signal is aborted if it is earlier. */
export function virtualWait(time: Pick<VirtualTime, 'after'>): Surroundings['wait'] {
  return (ms, signal) =>
    new Promise<void>(resolve => {
      const end = () => {
        scheduled.isCancelled = true;
        signal.removeEventListener('abort', end);
        resolve();
      };
      const scheduled = time.after(ms, undefined, end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
}

/**
 * Lets the waits of the code of functions pass in virtual time, with jitter and ids that follow from the seed. Code outside of
 * an invocation keeps the real clock.
 */
export function divertTimers(current: () => { time: VirtualTime; random: Random } | undefined): void {
  const real = { setTimeout: globalThis.setTimeout, random: Math.random };
  const { randomBytes } = crypto;
  const drawn = (size: number): Buffer => {
    const world = current();
    if (!world?.time.actor) return randomBytes(size);
    return world.random.bytes(size);
  };
  Object.assign(crypto, { randomBytes: drawn, randomUUID: () => drawn(16).toString('hex') });
  const setTimeout = (callback: (...values: unknown[]) => void, delayMs = 0, ...values: unknown[]) => {
    const { time } = current() ?? {};
    if (!time?.actor) return real.setTimeout(callback, delayMs, ...values);
    return time.after(Math.ceil(delayMs), time.actor, () => callback(...values));
  };
  Object.assign(globalThis, { setTimeout: Object.assign(setTimeout, real.setTimeout) });
  const { setTimeout: realPause } = timersPromises;
  const pause = (delayMs = 0, ...rest: []) => {
    const { time } = current() ?? {};
    if (!time?.actor) return realPause(delayMs, ...rest);
    const { actor } = time;
    return new Promise<void>(resolve => time.after(Math.ceil(delayMs), actor, resolve));
  };
  Object.assign(timersPromises, { setTimeout: pause });
  syncBuiltinESMExports();
  Math.random = () => {
    const world = current();
    return world?.time.actor ? world.random.next() : real.random();
  };
}
