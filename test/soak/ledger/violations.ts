/** What a violation is about. */
type ViolationKind =
  | 'lost'
  | 'doubled'
  | 'altered'
  | 'invented'
  | 'out of order'
  | 'false conflict'
  | 'undocumented response'
  | 'valid key refused'
  | 'invalid key accepted'
  | 'left behind'
  | 'not at its goal'
  | 'service defect';

/** Something that must not happen, whatever fails. */
export interface Violation {
  readonly kind: ViolationKind;
  /** A sentence that names what was lost, doubled or left behind. */
  readonly what: string;
  readonly atMs: number;
}

/** One cause can show itself thousands of times: only so many of a kind are kept, all are counted. */
const KEPT_PER_KIND = 20;

/** The violations of a run. */
export class Violations {
  readonly kept: Violation[] = [];
  readonly counts = new Map<ViolationKind, number>();
  readonly #now: () => number;
  readonly #show: (violation: Violation) => void;

  /** `show` is told of every violation that is kept. */
  constructor(now: () => number, show: (violation: Violation) => void = () => {}) {
    this.#now = now;
    this.#show = show;
  }

  get total(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  readonly add = (kind: ViolationKind, what: string): void => {
    const count = (this.counts.get(kind) ?? 0) + 1;
    this.counts.set(kind, count);
    if (count > KEPT_PER_KIND) return;
    const violation = { kind, what, atMs: Math.round(this.#now()) };
    this.kept.push(violation);
    this.#show(violation);
  };
}

export type Report = Violations['add'];

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
