import { CREATE, GET, LIST_20, LIST_100, type Workload } from './gateway-events.ts';
import { LoadedHandler } from './handler-process.ts';
import { BARE, median, ratioByRound, type Variants } from './variants.ts';

const WORKLOADS = [LIST_20, LIST_100, CREATE, GET];

/** The CPU time of one invocation in a warm process: its median, and its ratio to that of the bare handler. */
export interface WarmInvocation {
  readonly workload: string;
  readonly variant: string;
  readonly cpuMicroseconds: number;
  readonly ratio: number;
}

/** Processes per variant, one after the other: the compiler optimizes a little differently in each. */
const GENERATIONS = 2;
/** Invocations before the measured ones, for the optimizing compiler. */
const WARM_UP = 1500;
/** Measured blocks per process; the variants alternate block by block. */
const BLOCKS = 10;
const INVOCATIONS_PER_BLOCK = 100;

export async function measureWarmInvocations(
  variants: Variants,
  stubEndpoint: string,
  progress: (done: string) => void,
): Promise<WarmInvocation[]> {
  const results: WarmInvocation[] = [];
  for (const workload of WORKLOADS) {
    const blocks = new Map<string, number[]>(variants.all.map(({ name }) => [name, []]));
    for (let generation = 1; generation <= GENERATIONS; generation += 1) {
      await measureGeneration(variants, workload, stubEndpoint, blocks);
      progress(`${workload.name}, ${generation} of ${GENERATIONS}`);
    }
    for (const [variant, values] of blocks) {
      results.push({
        workload: workload.name,
        variant,
        cpuMicroseconds: median(values),
        ratio: ratioByRound(values, blocks.get(BARE) ?? []),
      });
    }
  }
  return results;
}

/** Starts a process for each variant, warms all of them up, and measures them alternately block by block. */
async function measureGeneration(
  { all, environment }: Variants,
  { operation, event }: Workload,
  stubEndpoint: string,
  results: Map<string, number[]>,
): Promise<void> {
  const settings = environment(operation, stubEndpoint);
  const handlers = new Map(
    all.map(({ name, bundle }) => [name, new LoadedHandler(settings, 'warm', bundle[operation], event)]),
  );
  try {
    await Promise.all(handlers.values().map(handler => handler.ask(WARM_UP)));
    for (let block = 0; block < BLOCKS; block += 1) {
      for (const [name, handler] of handlers) {
        results.get(name)?.push(await handler.ask<number>(INVOCATIONS_PER_BLOCK));
      }
    }
  } finally {
    for (const handler of handlers.values()) handler.stop();
  }
}
