import { startService } from '../../service/running-service.ts';
import { loadPets } from '../dynamodb/load-pets.ts';
import { median } from '../report/statistics.ts';
import { type BareEngine, startBareEngine } from './bare-engine.ts';
import { engineTarget } from './engine-target.ts';
import { type LoadBlock, type LoadResult, loadFor, summary } from './mixed-load.ts';
import { serviceTarget } from './service-target.ts';
import { measureStartSeconds } from './start-time.ts';

const PETS = 1000;

export interface OneMachine {
  readonly engine: LoadResult;
  readonly service: LoadResult;
  /** Of the service's requests per second to the engine's. */
  readonly ratio: number;
  readonly startSeconds: number;
}

export interface MachineEffort {
  readonly starts: number;
  /** Blocks for each of the two, taken in turns, after one that is not counted. */
  readonly blocks: number;
  readonly blockMs: number;
}

export async function measureOneMachine(
  petsTable: string,
  { starts, blocks, blockMs }: MachineEffort,
  progress: (done: string) => void,
): Promise<OneMachine> {
  const startSeconds: number[] = [];
  for (let start = 1; start <= starts; start += 1) {
    startSeconds.push(await measureStartSeconds());
    progress(`npm start, ${start} of ${starts}`);
  }
  const engine = await startBareEngine();
  try {
    return {
      ...(await compare(engine, petsTable, blocks, blockMs, progress)),
      startSeconds: median(startSeconds),
    };
  } finally {
    await engine.stop();
  }
}

/** The service and the SDK drive the same engine and the same table, so that what differs is what is in between. */
async function compare(
  { endpoint, client }: BareEngine,
  petsTable: string,
  blocks: number,
  blockMs: number,
  progress: (done: string) => void,
): Promise<Omit<OneMachine, 'startSeconds'>> {
  const running = await startService(['--memory', '--dynamodb', endpoint]);
  try {
    await loadPets(client, petsTable, 0, PETS);
    const bare = engineTarget(client, petsTable, PETS);
    const service = await serviceTarget(running.production.url, running.awsEndpoint, PETS);
    const engineBlocks: LoadBlock[] = [];
    const serviceBlocks: LoadBlock[] = [];
    for (let block = 0; block <= blocks; block += 1) {
      const [ofEngine, ofService] = [await loadFor(bare, blockMs), await loadFor(service, blockMs)];
      if (block > 0) {
        engineBlocks.push(ofEngine);
        serviceBlocks.push(ofService);
      }
      progress(`load, ${block} of ${blocks}`);
    }
    service.close();
    const rate = ({ seconds, latenciesMs }: LoadBlock) => latenciesMs.length / seconds;
    return {
      engine: summary(engineBlocks),
      service: summary(serviceBlocks),
      ratio: median(serviceBlocks.map((block, turn) => rate(block) / rate(engineBlocks[turn] ?? block))),
    };
  } finally {
    await running.stop();
  }
}
