import type { Clock } from '../../stepfunctions/interpreter.ts';

/** An arbitrary start: no test depends on the date. */
const START_MS = Date.UTC(2026, 0, 31, 12);

/** Something that will happen at a time. */
interface ScheduledEvent {
  readonly atMs: number;
  isCancelled: boolean;
}

interface Scheduled<Actor> extends ScheduledEvent {
  readonly actor: Actor | undefined;
  readonly run: () => void;
}

/**
 * A clock and a scheduler: waits pass in virtual time. An event runs only when every promise that follows from the event
 * before has settled. So a call always belongs to the current `actor`, and every run is the same.
 */
export class VirtualTime<Actor = undefined> {
  nowMs = START_MS;
  /** Whose code runs at the moment. */
  actor: Actor | undefined;
  /** In the order of their times. */
  readonly #queue: Scheduled<Actor>[] = [];

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
  #next(): Scheduled<Actor> | undefined {
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

/** The clock of executions that pass in virtual time. */
export function virtualClock(time: Pick<VirtualTime, 'after'>): Clock {
  const sleep = (seconds: number, signal: AbortSignal) =>
    new Promise<void>(resolve => {
      const end = () => {
        scheduled.isCancelled = true;
        signal.removeEventListener('abort', end);
        resolve();
      };
      const scheduled = time.after(seconds * 1000, undefined, end);
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
    });
  return { sleep };
}
