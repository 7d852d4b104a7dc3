import type { Item } from './dynamodb-expressions.ts';

/** What a run decides about indexes. */
export interface IndexBehaviour {
  nowMs(): number;
  /** How much later than the table an index has a write. */
  indexLagMs(): number;
}

/** A write that an index does not have yet. */
interface LaggingWrite {
  readonly visibleAtMs: number;
  readonly key: string;
  readonly item: Item | undefined;
}

/** The items of a table as its indexes have them: behind the table, but in the order of the writes. */
export class LaggingItems {
  readonly #items = new Map<string, Item>();
  readonly #lagging: LaggingWrite[] = [];
  readonly #behaviour: IndexBehaviour;

  constructor(behaviour: IndexBehaviour) {
    this.#behaviour = behaviour;
  }

  /** Takes a write of the table; undefined is a deletion. */
  write(key: string, item: Item | undefined): void {
    const visibleAtMs = Math.max(
      this.#lagging.at(-1)?.visibleAtMs ?? 0,
      this.#behaviour.nowMs() + this.#behaviour.indexLagMs(),
    );
    this.#lagging.push({ visibleAtMs, key, item });
  }

  current(): ReadonlyMap<string, Item> {
    const nowMs = this.#behaviour.nowMs();
    while (this.#lagging[0] && this.#lagging[0].visibleAtMs <= nowMs) {
      const { key, item } = this.#lagging.shift() as LaggingWrite;
      if (item) this.#items.set(key, item);
      else this.#items.delete(key);
    }
    return this.#items;
  }
}
