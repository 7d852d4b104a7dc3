import { percentile } from '../report/statistics.ts';

/** Something that can be asked for a page of 20, for one animal, and to add one. */
export interface Target {
  list(): Promise<void>;
  get(): Promise<void>;
  create(): Promise<void>;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Eight reads, half of them pages, to two creates. */
const MIX: readonly (keyof Target)[] = [
  'list',
  'get',
  'list',
  'get',
  'create',
  'list',
  'get',
  'list',
  'get',
  'create',
];

/** Bounds: so many requests are in flight, and no more than so many are sent in a block. */
const IN_FLIGHT = 16;
const MOST_REQUESTS = 20_000;

/** A block of the mix, in milliseconds per request. */
export interface LoadBlock {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export async function loadFor(target: Target, milliseconds: number): Promise<LoadBlock> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const lane = async () => {
    while (performance.now() - startedAt < milliseconds && sent < MOST_REQUESTS) {
      const kind = MIX[sent % MIX.length] ?? 'list';
      sent += 1;
      const sentAt = performance.now();
      await target[kind]();
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, lane));
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}

export function summary(blocks: readonly LoadBlock[]): LoadResult {
  const latenciesMs = blocks.flatMap(block => block.latenciesMs);
  const seconds = blocks.reduce((sum, block) => sum + block.seconds, 0);
  return {
    requests: latenciesMs.length,
    requestsPerSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}
