/** More characters of a key than any hint, id or hash contains. */
const REVEALING_LENGTH = 12;

/** `pet_live_` and `pet_test_` aren't secret. */
const PREFIX_LENGTH = 'pet_live_'.length;

const RUN_OF_DIGITS = new RegExp(`[0-9A-Za-z]{${REVEALING_LENGTH},}`, 'g');

/** Finds API keys, and parts of them that reveal too much, in texts. */
export class SecretSearch {
  readonly #parts = new Set<string>();

  add(key: string): void {
    const secret = key.slice(PREFIX_LENGTH);
    for (let start = 0; start + REVEALING_LENGTH <= secret.length; start += 1) {
      this.#parts.add(secret.slice(start, start + REVEALING_LENGTH));
    }
  }

  /** Where a part of a key begins in a text; undefined when there is none. */
  find(text: string): number | undefined {
    for (const { 0: run, index } of text.matchAll(RUN_OF_DIGITS)) {
      for (let start = 0; start + REVEALING_LENGTH <= run.length; start += 1) {
        if (this.#parts.has(run.slice(start, start + REVEALING_LENGTH))) return index + start;
      }
    }
    return undefined;
  }
}
