import { percentile } from '../report/statistics.ts';

/** The target of a load: lists a page of 20 animals, gets one animal, or creates one. */
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

/** Eight reads, half of them pages, for every two creates. */
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

const REQUESTS_IN_FLIGHT = 16;
const MAX_REQUESTS_PER_BLOCK = 20_000;

/** One measured period of the mixed load. */
export interface LoadBlock {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export async function loadFor(target: Target, milliseconds: number): Promise<LoadBlock> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() - startedAt < milliseconds && sent < MAX_REQUESTS_PER_BLOCK) {
      const kind = MIX[sent % MIX.length] ?? 'list';
      sent += 1;
      const sentAt = performance.now();
      await target[kind]();
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_IN_FLIGHT }, worker));
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
