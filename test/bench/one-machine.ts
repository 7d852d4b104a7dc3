import { startService } from '../service/running-service.ts';
import { type BareEngine, loadPets, startBareEngine } from './bare-engine.ts';
import {
  engineTarget,
  type LoadBlock,
  type LoadResult,
  loadFor,
  serviceTarget,
  summary,
} from './mixed-load.ts';
import { median } from './statistics.ts';

const PETS = 1000;

export interface OneMachine {
  readonly engine: LoadResult;
  readonly service: LoadResult;
  /** The service's requests per second, divided by the engine's. */
  readonly ratio: number;
  readonly startSeconds: number;
}

export interface MachineEffort {
  readonly starts: number;
  /** Each target is loaded for this time first, which is not counted. */
  readonly warmUpMs: number;
  /** Measured blocks of each target. The targets alternate. */
  readonly blocks: number;
  readonly blockMs: number;
}

export async function measureOneMachine(
  petsTable: string,
  effort: MachineEffort,
  progress: (done: string) => void,
): Promise<OneMachine> {
  const startSeconds: number[] = [];
  for (let start = 1; start <= effort.starts; start += 1) {
    startSeconds.push(await measureStartSeconds());
    progress(`npm start, ${start} of ${effort.starts}`);
  }
  const engine = await startBareEngine();
  try {
    return {
      ...(await compare(engine, petsTable, effort, progress)),
      startSeconds: median(startSeconds),
    };
  } finally {
    await engine.stop();
  }
}

/** Loads the engine alternately by the SDK and through the service: the difference is the cost of the service. */
async function compare(
  { endpoint, client }: BareEngine,
  petsTable: string,
  { warmUpMs, blocks, blockMs }: MachineEffort,
  progress: (done: string) => void,
): Promise<Omit<OneMachine, 'startSeconds'>> {
  // With more patience than usual: a response that a busy machine delays must not end the run.
  const running = await startService(['--memory', '--dynamodb', endpoint, '--patience', '10']);
  try {
    await loadPets(client, petsTable, 0, PETS);
    const bare = engineTarget(client, petsTable, PETS);
    const service = await serviceTarget(running.production.url, running, PETS);
    await loadFor(bare, warmUpMs);
    await loadFor(service, warmUpMs);
    progress('warm-up');
    const engineBlocks: LoadBlock[] = [];
    const serviceBlocks: LoadBlock[] = [];
    for (let block = 1; block <= blocks; block += 1) {
      engineBlocks.push(await loadFor(bare, blockMs));
      serviceBlocks.push(await loadFor(service, blockMs));
      progress(`load, ${block} of ${blocks}`);
    }
    service.close();
    const rate = ({ seconds, latenciesMs }: LoadBlock) => latenciesMs.length / seconds;
    return {
      engine: summary(engineBlocks),
      service: summary(serviceBlocks),
      ratio: median(serviceBlocks.map((block, index) => rate(block) / rate(engineBlocks[index] ?? block))),
    };
  } finally {
    await running.stop();
  }
}

/**
 * Measures the seconds from the start of what `npm start` runs, with its own DynamoDB Local, to the first response. The stacks are
 * already synthesized, as after any start without changes since.
 */
async function measureStartSeconds(): Promise<number> {
  const startedAt = performance.now();
  const service = await startService(['--memory']);
  try {
    const { url, apiKey } = service.production;
    const response = await fetch(`${url}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } });
    await response.text();
    if (!response.ok) throw new Error(`The first request returned ${response.status}.`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await service.stop();
  }
}
