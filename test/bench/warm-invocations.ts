import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { CREATE, GET, LIST_20, LIST_100, type Workload } from './gateway-events.ts';
import { BARE, median, ratioByRound, type Variants } from './variants.ts';

const WORKLOADS = [LIST_20, LIST_100, CREATE, GET];

/** The CPU time of one invocation in a warm process: its median, and its ratio to that of the bare handler. */
export interface WarmInvocation {
  readonly workload: string;
  readonly variant: string;
  readonly cpuMicroseconds: number;
  readonly ratio: number;
}

export interface WarmEffort {
  /** Processes per variant, one after the other: the compiler optimizes a little differently in each. */
  readonly generations: number;
  /** Invocations before the measured ones, for the optimizing compiler. */
  readonly warmUp: number;
  /** Measured blocks per process; the variants alternate block by block. */
  readonly blocks: number;
  readonly invocationsPerBlock: number;
}

export async function measureWarmInvocations(
  variants: Variants,
  stubEndpoint: string,
  effort: WarmEffort,
  progress: (done: string) => void,
): Promise<WarmInvocation[]> {
  const results: WarmInvocation[] = [];
  for (const workload of WORKLOADS) {
    const blocks = new Map<string, number[]>(variants.all.map(({ name }) => [name, []]));
    for (let generation = 1; generation <= effort.generations; generation += 1) {
      await measureGeneration(variants, workload, stubEndpoint, effort, blocks);
      progress(`${workload.name}, ${generation} of ${effort.generations}`);
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
  { warmUp, blocks, invocationsPerBlock }: WarmEffort,
  results: Map<string, number[]>,
): Promise<void> {
  const settings = environment(operation, stubEndpoint);
  const handlers = new Map(
    all.map(({ name, bundle }) => [name, new WarmHandler(bundle[operation], event, settings)]),
  );
  try {
    await Promise.all(handlers.values().map(handler => handler.invoke(warmUp)));
    for (let block = 0; block < blocks; block += 1) {
      for (const [name, handler] of handlers) {
        results.get(name)?.push(await handler.invoke(invocationsPerBlock));
      }
    }
  } finally {
    for (const handler of handlers.values()) handler.stop();
  }
}

const HANDLER_PROCESS = join(import.meta.dirname, 'handler-process.js');

/** A handler that stays loaded in a process of its own. */
class WarmHandler {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #ready: Promise<unknown>;

  constructor(bundle: string, event: string, environment: Record<string, string>) {
    this.#child = fork(HANDLER_PROCESS, ['warm', bundle, event], {
      env: environment,
      // Drops what a handler logs.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error(`${bundle} ended its process.`);
    });
    this.#ended.catch(() => {});
    this.#ready = once(this.#child, 'message');
  }

  /** Invokes the handler this many times; returns the average CPU time of one invocation in microseconds. */
  async invoke(count: number): Promise<number> {
    await Promise.race([this.#ready, this.#ended]);
    const response = once(this.#child, 'message');
    this.#child.send(count);
    const [cpuMicroseconds] = await Promise.race([response, this.#ended]);
    return Number(cpuMicroseconds);
  }

  stop(): void {
    this.#child.kill();
  }
}
