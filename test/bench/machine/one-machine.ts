import { loadPets } from '../dynamodb/load-pets.ts';
import { median } from '../report/statistics.ts';
import { type BareEngine, startBareEngine } from './bare-engine.ts';
import { engineTarget } from './engine-target.ts';
import { type LoadBlock, type LoadResult, loadFor, summary } from './mixed-load.ts';
import { npmStart } from './npm-start.ts';
import { serviceTarget } from './service-target.ts';
import { measureStartSeconds } from './start-time.ts';

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
  // With more patience than usual: an answer that a busy machine delays must not end the run.
  const running = await npmStart(['--dynamodb', endpoint, '--patience', '10']);
  try {
    await loadPets(client, petsTable, 0, PETS);
    const bare = engineTarget(client, petsTable, PETS);
    const service = await serviceTarget(running.production.url, running.awsEndpoint, PETS);
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
