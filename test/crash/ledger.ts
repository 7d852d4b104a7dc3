import type { Report } from './findings.ts';

/** Something that a request creates or changes, with a name that no other has. */
export interface Thing {
  readonly name: string;
  readonly id: string;
  readonly state: string;
}

/** The state of what was deleted. */
export const GONE = 'gone';

interface Entry {
  /** Undefined for a request that got no response: what it asks for may be there once or not at all. */
  readonly id: string | undefined;
  readonly state: string;
}

/** Knows what an environment has acknowledged, and what else it may have. */
export class Ledger {
  readonly #kind: string;
  readonly #report: Report;
  readonly #entries = new Map<string, Entry>();

  /** `kind` is what its things are called, such as "pet of staging". */
  constructor(kind: string, report: Report) {
    this.#kind = kind;
    this.#report = report;
  }

  /** A request is about to be sent. */
  requested(name: string, state: string): void {
    this.#entries.set(name, { id: undefined, state });
  }

  /** It was carried out. Every response to it, and to its repetitions, has the same id. */
  acknowledged({ name, id, state }: Thing): void {
    const earlier = this.#entries.get(name)?.id ?? id;
    if (earlier !== id)
      this.#report('doubled', `${this.#named(name)} was acknowledged as ${earlier} and as ${id}`);
    this.#entries.set(name, { id: earlier, state });
  }

  /**
   * Compares all that was found somewhere with what was acknowledged, when no request is under way. A filter has only the
   * entries whose state `isRequired`.
   */
  compare(found: readonly Thing[], where: string, isRequired = (_state: string) => true): void {
    const byName = Map.groupBy(found, ({ name }) => name);
    for (const [name, [thing, ...others]] of byName) {
      const fault = thing && this.#faultOf(thing, others);
      if (fault) this.#report(fault[0], `${this.#named(name)} ${fault[1]} in ${where}`);
    }
    for (const [name, { id, state }] of this.#entries) {
      if (id === undefined || state === GONE || !isRequired(state) || byName.has(name)) continue;
      this.#report('lost', `${this.#named(name)} was acknowledged as ${id} and is missing in ${where}`);
    }
  }

  #faultOf({ name, id, state }: Thing, others: readonly Thing[]): Parameters<Report> | undefined {
    const entry = this.#entries.get(name);
    if (!entry) return ['invented', `was requested by nobody and is ${id}`];
    if (others.length > 0) return ['doubled', `is ${[id, ...others.map(other => other.id)].join(' and ')}`];
    if (entry.id !== undefined && entry.id !== id)
      return ['doubled', `was acknowledged as ${entry.id} and is ${id}`];
    if (entry.state !== state) return ['altered', `(${id}) is to be ${entry.state} and is ${state}`];
    return undefined;
  }

  #named(name: string): string {
    return `the ${this.#kind} ${JSON.stringify(name)}`;
  }
}
