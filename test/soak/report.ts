import type { Violation } from './ledger/violations.ts';

/** The workloads of a run. Orders need pets. */
export const PARTS = ['pets', 'hostile', 'orders', 'keys', 'domains'] as const;
export type Part = (typeof PARTS)[number];

/** What a run is asked for. */
export interface SoakOptions {
  readonly minutes: number;
  readonly seed: number;
  readonly parts: readonly Part[];
  readonly keepsFolder: boolean;
}

/** What a run came to. */
export interface SoakResult {
  readonly seed: number;
  readonly minutes: number;
  readonly parts: readonly Part[];
  readonly seconds: number;
  readonly tried: Readonly<Record<string, number>>;
  readonly faults: Readonly<Record<string, number>>;
  /** Of the requests to the HTTP interface. */
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly slowest: number };
  readonly violationCounts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** The result of a run for a reader: what was tried, how often, and what failed. */
export function summaryText({
  seed,
  minutes,
  parts,
  tried,
  faults,
  violations,
  violationCounts,
}: SoakResult): string {
  const rows = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`);
  const found = violations.map(
    ({ kind, what, atMs }) => `  ${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}: ${what}`,
  );
  const counts = Object.entries(violationCounts).map(([kind, count]) => `${grouped(count)} × ${kind}`);
  const only = parts.length === PARTS.length ? '' : ` --only ${parts.join(',')}`;
  return [
    `Soak of ${minutes} min, seed ${seed}.`,
    'Tried:',
    ...rows(tried),
    'Faults:',
    ...rows(faults),
    ...(violations.length === 0
      ? ['Nothing was lost, doubled, altered, refused without reason, revealed or left behind.']
      : [
          `VIOLATED: ${counts.join(', ')}`,
          ...found,
          `Repeat it with: npm run soak -- --minutes ${minutes} --seed ${seed}${only}`,
        ]),
  ].join('\n');
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}

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
