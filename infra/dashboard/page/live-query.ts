import type { ApiResponse, ShownError } from '../server/protocol.ts';

/** From the start of a request to the start of the next: a change made elsewhere shows within two seconds. */
export const INTERVAL_MS = 1_400;
/** For data that rarely changes and isn't the focus of the page; often enough that it never counts as old (isOld). */
export const SLOW_INTERVAL_MS = 8_000;
const LONGEST_INTERVAL_MS = 15_000;

/** The last value of a repeated read, and its error. An error leaves the last value on the screen. */
export interface Snapshot<Value> {
  readonly value?: Value | undefined;
  readonly error?: ShownError | undefined;
}

/** How old something on the screen is, and what is being done about it. */
export interface Age {
  /** When it was true. */
  readonly asOfMs: number;
  readonly isReading: boolean;
  readonly hasFailed: boolean;
}

export type Interval = number | ((waitedMs: number) => number);

interface LiveQueryOptions {
  /** Whether anybody can see the page. */
  isVisible(): boolean;
  /** Or what it is after so much time since somebody came or changed something. Nobody is told how old such a value is. */
  readonly intervalMs?: Interval | undefined;
}

/**
 * A read that is repeated while a component watches it and the page is visible. Only the response to the latest request
 * counts. After errors the interval grows; a success resets it.
 */
export class LiveQuery<Value> {
  #snapshot: Snapshot<Value> = {};
  #asOfMs: number | undefined;
  /** Whether the latest request has no response yet, or the server reads on after its response. */
  #isReading = false;
  #latestRequest = 0;
  #failures = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #listeners = new Set<() => void>();
  readonly #read: () => Promise<ApiResponse<Value>>;
  readonly #isVisible: () => boolean;
  readonly #intervalMs: Interval;
  /** Since when it has been read again and again. */
  #sinceMs = 0;

  constructor(
    read: () => Promise<ApiResponse<Value>>,
    { isVisible, intervalMs = INTERVAL_MS }: LiveQueryOptions,
  ) {
    this.#read = read;
    this.#isVisible = isVisible;
    this.#intervalMs = intervalMs;
  }

  get snapshot(): Snapshot<Value> {
    return this.#snapshot;
  }

  /** Undefined while it isn't on the screen. */
  get age(): Age | undefined {
    const isAged = typeof this.#intervalMs === 'number';
    if (this.#asOfMs === undefined || this.#listeners.size === 0 || !isAged) return undefined;
    return { asOfMs: this.#asOfMs, isReading: this.#isReading, hasFailed: this.#failures > 0 };
  }

  /** Shows another query's result until this one has its own. */
  standInWith(other: LiveQuery<Value>): void {
    this.#asOfMs ??= other.#asOfMs;
  }

  /** Calls back after every response. The first listener starts the reads, and they stop with the last one. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    if (this.#listeners.size === 1) this.refresh();
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size === 0) clearTimeout(this.#timer);
    };
  }

  /** Reads now, if anybody watches. Responses to earlier requests no longer count: they may predate a change. */
  refresh(): Promise<void> {
    this.#sinceMs = Date.now();
    return this.#readNow();
  }

  async #readNow(): Promise<void> {
    clearTimeout(this.#timer);
    this.#latestRequest += 1;
    if (this.#listeners.size === 0) return;
    const request = this.#latestRequest;
    const startedMs = Date.now();
    this.#isReading = true;
    const response = await this.#read();
    if (request !== this.#latestRequest) return;
    this.#isReading = response.ok && response.age?.isReading === true;
    if (response.ok) this.#asOfMs = response.age ? Date.now() - response.age.ms : startedMs;
    this.#snapshot = response.ok
      ? { value: unchanged(this.#snapshot.value, response.result) }
      : { value: this.#snapshot.value, error: response.error };
    this.#failures = response.ok ? 0 : this.#failures + 1;
    for (const listener of [...this.#listeners]) listener();
    if (this.#listeners.size > 0) this.#refreshAfter(this.#nextIntervalMs - (Date.now() - startedMs));
  }

  get #nextIntervalMs(): number {
    const given = this.#intervalMs;
    const intervalMs = typeof given === 'number' ? given : given(Date.now() - this.#sinceMs);
    return Math.min(intervalMs * 2 ** this.#failures, Math.max(intervalMs, LONGEST_INTERVAL_MS));
  }

  #refreshAfter(pauseMs: number): void {
    this.#timer = setTimeout(
      () => {
        if (this.#isVisible()) this.#readNow();
      },
      Math.max(0, pauseMs),
    );
  }
}

/** The old value if the new one is equal, so that components don't see a change. */
function unchanged<Value>(before: Value | undefined, after: Value): Value {
  const isSame =
    before === after || (before !== undefined && JSON.stringify(before) === JSON.stringify(after));
  return isSame ? (before as Value) : after;
}
