import type { Answer, ShownError } from '../server/environment-view.ts';

/** What is known of something that is read again and again. An error leaves the last value in sight. */
export interface Snapshot<Value> {
  readonly value?: Value | undefined;
  readonly error?: ShownError | undefined;
}

/**
 * Something that is read again and again. Requests are numbered, and an answer is dropped when a later request was
 * answered before it.
 */
export class LiveQuery<Value> {
  #snapshot: Snapshot<Value> = {};
  #sent = 0;
  /** The number of the latest request whose answer counts. */
  #lastAnswered = 0;
  readonly #read: () => Promise<Answer<Value>>;
  readonly #onChange: () => void;

  constructor(read: () => Promise<Answer<Value>>, onChange: () => void) {
    this.#read = read;
    this.#onChange = onChange;
  }

  get snapshot(): Snapshot<Value> {
    return this.#snapshot;
  }

  async refresh(): Promise<void> {
    this.#sent += 1;
    const number = this.#sent;
    const answer = await this.#read();
    if (number <= this.#lastAnswered) return;
    this.#lastAnswered = number;
    this.#snapshot = answer.ok
      ? { value: unchanged(this.#snapshot.value, answer.result) }
      : { value: this.#snapshot.value, error: answer.error };
    this.#onChange();
  }

  /** Drops the answers to all requests under way: they may have been read before a change that was made since. */
  outdate(): void {
    this.#lastAnswered = this.#sent;
  }
}

/** The value before, if the new one says the same: what did not change is not drawn again. */
function unchanged<Value>(before: Value | undefined, after: Value): Value {
  return before !== undefined && JSON.stringify(before) === JSON.stringify(after) ? before : after;
}
