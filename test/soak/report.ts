import type { Phase } from './faults/faults.ts';
import type { Violation } from './ledger/violations.ts';
import type { Kill } from './processes.ts';

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
  readonly kills: readonly Kill[];
  readonly phases: readonly Phase[];
  readonly latency: ReturnType<Latencies['summary']>;
  readonly latencies: readonly LatencySlot[];
  readonly violationCounts: Readonly<Record<string, number>>;
  readonly violations: readonly Violation[];
}

/** The result of a run for a reader: what was tried, how often, and what failed. */
export function summaryText(result: SoakResult): string {
  const { seed, minutes, parts, tried, faults, kills, violations, violationCounts } = result;
  const rows = Object.entries(tried).map(
    ([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`,
  );
  const faultRows = Object.entries(faults).map(
    ([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`,
  );
  const found = violations.map(
    ({ kind, what, atMs }) => `  ${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}: ${what}`,
  );
  const counts = Object.entries(violationCounts).map(([kind, count]) => `${grouped(count)} × ${kind}`);
  const only = parts.length === PARTS.length ? '' : ` --only ${parts.join(',')}`;
  return [
    `Soak of ${minutes} min, seed ${seed}.`,
    'Tried:',
    ...rows,
    `  ${'kills'.padEnd(44)} ${grouped(kills.length).padStart(10)}`,
    'Faults:',
    ...faultRows,
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

/** The latencies of one second of a run, in milliseconds. */
export interface LatencySlot {
  readonly second: number;
  readonly requests: number;
  /** Requests that returned 429, 503 or 504, or not at all. */
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

interface Sample {
  readonly second: number;
  readonly tookMs: number;
  readonly hasFailed: boolean;
}

/** Collects how long requests took, by the second in which they were sent. */
export class Latencies {
  readonly #samples: Sample[] = [];

  add(sentAtMs: number, tookMs: number, hasFailed: boolean): void {
    this.#samples.push({ second: Math.floor(sentAtMs / 1000), tookMs, hasFailed });
  }

  slots(): LatencySlot[] {
    const bySecond = Map.groupBy(this.#samples, ({ second }) => second);
    return [...bySecond]
      .toSorted(([left], [right]) => left - right)
      .map(([second, samples]) => {
        const sorted = samples.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right);
        return {
          second,
          requests: samples.length,
          failed: samples.filter(({ hasFailed }) => hasFailed).length,
          p50: percentile(sorted, 0.5),
          p99: percentile(sorted, 0.99),
          slowest: sorted.at(-1) ?? 0,
        };
      });
  }

  /** Percentiles over the whole run. */
  summary(): { requests: number; p50: number; p99: number; slowest: number } {
    const sorted = this.#samples.map(({ tookMs }) => tookMs).toSorted((left, right) => left - right);
    return {
      requests: sorted.length,
      p50: percentile(sorted, 0.5),
      p99: percentile(sorted, 0.99),
      slowest: sorted.at(-1) ?? 0,
    };
  }
}

/** The value of sorted numbers that this share of them does not exceed. */
function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
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
