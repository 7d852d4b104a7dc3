/** Noon of some day. No test depends on which. */
const START_MS = Date.UTC(2026, 0, 31, 12);

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const HOUR_MS = 60 * MINUTE_MS;

/** Someone in whose name code runs: an invocation of a function. What is dead does not go on. */
export interface Actor {
  readonly name: string;
  startedAtMs: number;
  diedAtMs: number | undefined;
  /** Whether it came to its own end, and so had the time to take back what it should. */
  isDone: boolean;
  /** Ends it between two instructions, as a crash does; the error is what its caller hears. */
  die(error: Error): void;
}

export interface Happening {
  readonly atMs: number;
  isCancelled: boolean;
}

interface Scheduled extends Happening {
  readonly order: number;
  readonly actor: Actor | undefined;
  readonly run: () => void;
}

/**
 * The one clock of a simulation, and the one place that decides who goes on when. Between two happenings everything that
 * follows from the first has come to rest, so that `actor` is whoever makes a call, and a seed always gives the same run.
 */
export class VirtualTime {
  nowMs = START_MS;
  /** In whose name code runs at the moment. */
  actor: Actor | undefined;
  /** How many happenings there were. */
  happened = 0;
  readonly #queue: Scheduled[] = [];
  #order = 0;

  after(delayMs: number, actor: Actor | undefined, run: () => void): Happening {
    this.#order += 1;
    const scheduled = { atMs: this.nowMs + delayMs, order: this.#order, actor, run, isCancelled: false };
    this.#push(scheduled);
    return scheduled;
  }

  /** For those who are no invocation and cannot die: people, and AWS itself. */
  sleep(ms: number): Promise<void> {
    return new Promise(resolve => {
      this.after(ms, undefined, resolve);
    });
  }

  /** Lets everything happen until nothing is left, or until it is over or later than the limit. */
  async run(isOver: () => boolean, limitMs: number, afterEach: () => void): Promise<void> {
    await atRest();
    while (!isOver()) {
      const next = this.#pop();
      if (next === undefined) return;
      if (next.isCancelled) continue;
      if (next.atMs > limitMs) throw new Error(`Not over by ${this.text(limitMs)}`);
      this.nowMs = next.atMs;
      this.actor = next.actor;
      this.happened += 1;
      next.run();
      await atRest();
      this.actor = undefined;
      afterEach();
    }
  }

  /** Hours, minutes and seconds since the beginning. */
  text(ms = this.nowMs): string {
    const passed = ms - START_MS;
    const part = (unitMs: number, of: number) => String(Math.floor(passed / unitMs) % of).padStart(2, '0');
    return `${part(HOUR_MS, 10_000)}:${part(MINUTE_MS, 60)}:${part(SECOND_MS, 60)}.${String(passed % 1000).padStart(3, '0')}`;
  }

  #push(scheduled: Scheduled): void {
    const queue = this.#queue;
    let index = queue.push(scheduled) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isEarlier(scheduled, queue[parent] as Scheduled)) break;
      queue[index] = queue[parent] as Scheduled;
      index = parent;
    }
    queue[index] = scheduled;
  }

  #pop(): Scheduled | undefined {
    const queue = this.#queue;
    const first = queue[0];
    const last = queue.pop();
    if (first === undefined || last === undefined || first === last) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= queue.length) break;
      const right = child + 1;
      if (right < queue.length && isEarlier(queue[right] as Scheduled, queue[child] as Scheduled))
        child = right;
      if (!isEarlier(queue[child] as Scheduled, last)) break;
      queue[index] = queue[child] as Scheduled;
      index = child;
    }
    queue[index] = last;
    return first;
  }
}

function isEarlier(one: Scheduled, other: Scheduled): boolean {
  return one.atMs === other.atMs ? one.order < other.order : one.atMs < other.atMs;
}

/** Promises reconcile before Node comes to its immediates, however many follow from one another. */
function atRest(): Promise<void> {
  return new Promise(resolve => {
    setImmediate(resolve);
  });
}
