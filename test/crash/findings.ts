import type { ServiceProcess } from './processes.ts';

/** What must not happen, whatever fails. */
type Kind =
  | 'lost'
  | 'doubled'
  | 'altered'
  | 'invented'
  | 'false refusal'
  | 'revoked key accepted'
  | 'undocumented response'
  | 'service defect';

/** One cause can show itself thousands of times: only so many of a kind are kept, all are counted. */
const KEPT_PER_KIND = 20;

/** What a run has counted and found. */
export class Findings {
  /** How often what was done, by what it is called. */
  readonly counts = new Map<string, number>();
  /** A sentence each. */
  readonly violations: string[] = [];
  readonly #show: (violation: string) => void;
  readonly #byKind = new Map<Kind, number>();

  constructor(show: (violation: string) => void = () => {}) {
    this.#show = show;
  }

  count(what: string, times = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + times);
  }

  /** How often it was done altogether: `kills` counts `kills: engine`, too. */
  countOf(what: string): number {
    return [...this.counts]
      .filter(([each]) => each.startsWith(`${what}:`) || each === what)
      .reduce((sum, [, times]) => sum + times, 0);
  }

  readonly report = (kind: Kind, what: string): void => {
    const count = (this.#byKind.get(kind) ?? 0) + 1;
    this.#byKind.set(kind, count);
    if (count > KEPT_PER_KIND) return;
    this.violations.push(`${kind}: ${what}`);
    this.#show(`VIOLATED: ${kind}: ${what}`);
  };

  /** Such as `3 × lost`. */
  get summary(): string {
    return [...this.#byKind].map(([kind, count]) => `${count} × ${kind}`).join(', ');
  }
}

/** What a minute has at least, on a machine that is several times slower than CI's. */
const FLOORS = {
  'kills: service': 1,
  'kills: engine': 1,
  'kills: start': 1,
  faults: 100,
  'acknowledged: pets': 50,
  'acknowledged: orders': 10,
  'acknowledged: keys': 5,
};

/** What a run has done too little of to show something. */
export function shortfalls(findings: Findings, minutes: number): string[] {
  return Object.entries(FLOORS)
    .map(([what, floor]) => ({ what, times: findings.countOf(what), least: Math.floor(floor * minutes) }))
    .filter(({ times, least }) => times < least)
    .map(({ what, times, least }) => `${what}: ${times}, and not ${least} or more`);
}

export type Report = Findings['report'];

/** What everything in a run has in common. */
export interface Run {
  readonly service: ServiceProcess;
  readonly findings: Findings;
  /** Milliseconds that the service has run, without its starts, which take longer on a busy machine. */
  now(): number;
  /** Whether faults and kills have ended: what was begun is finished, and nothing new is begun. */
  isOver(): boolean;
  /** Throws when something has still got no response minutes after that. */
  requireTime(what: string): void;
}
