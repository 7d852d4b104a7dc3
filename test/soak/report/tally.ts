/** How often what was tried. */
export class Tally {
  readonly #counts = new Map<string, number>();

  count(what: string, times = 1): void {
    this.#counts.set(what, this.of(what) + times);
  }

  of(what: string): number {
    return this.#counts.get(what) ?? 0;
  }

  toJSON(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([left], [right]) => (left < right ? -1 : 1)));
  }
}
