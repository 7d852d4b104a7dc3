import type { Random } from '../../simulation/random.ts';

/** A stretch of time with one rate of faults. Times are counted from the start of the run. */
export interface Phase {
  readonly kind: 'calm' | 'unrest' | 'storm' | 'outage';
  readonly fromMs: number;
  readonly toMs: number;
  /** The share of requests that are disturbed. */
  readonly rate: number;
}

/**
 * How long a phase of a kind lasts and how often it disturbs. In a storm, retries still succeed within their deadline more
 * often than not. An outage is shorter and longer than the 3.5 s for which the functions wait for DynamoDB.
 */
const KINDS = [
  { kind: 'calm', weight: 3, seconds: [3, 8], rates: [0, 0.01] },
  { kind: 'unrest', weight: 4, seconds: [4, 10], rates: [0.05, 0.15] },
  { kind: 'storm', weight: 3, seconds: [3, 8], rates: [0.25, 0.45] },
  { kind: 'outage', weight: 1, seconds: [1, 5], rates: [1, 1] },
] as const;

const DRAWN = KINDS.flatMap(kind => Array.from({ length: kind.weight }, () => kind));

/** The phases of a run of this length, one after the other without a gap. */
export function forecast(random: Random, lengthMs: number): Phase[] {
  const phases: Phase[] = [];
  let fromMs = 0;
  while (fromMs < lengthMs) {
    const { kind, seconds, rates } = random.pick(DRAWN.filter(drawn => drawn.kind !== phases.at(-1)?.kind));
    const [least, most] = rates;
    const toMs = Math.min(lengthMs, fromMs + 1000 * random.between(seconds[0], seconds[1]));
    phases.push({ kind, fromMs, toMs, rate: least + random.next() * (most - least) });
    fromMs = toMs;
  }
  return phases;
}

/** The phase at a time; undefined before and after the run. */
export function phaseAt(phases: readonly Phase[], atMs: number): Phase | undefined {
  return phases.find(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs);
}
