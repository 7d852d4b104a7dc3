/** The latencies of one second of a run, in milliseconds. */
export interface LatencySlot {
  readonly second: number;
  readonly requests: number;
  /** Requests that were answered with 429, 503 or 504, or not at all. */
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
export function percentile(sorted: readonly number[], share: number): number {
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
