import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, ratioByRound } from '../report/statistics.ts';
import { BARE, OPERATIONS, type Operation, type Variants } from '../variants/variants.ts';
import { CREATE, GET, LIST_20, type Workload } from '../workloads.ts';

const COLD_PROCESS = join(import.meta.dirname, 'cold-process.js');

const FIRST_REQUEST: Record<Operation, Workload> = { listPets: LIST_20, createPet: CREATE, getPet: GET };

/** How one bundle starts, medians of CPU time in milliseconds; ratios to the bare handler. */
export interface ColdStart {
  readonly operation: Operation;
  readonly variant: string;
  readonly bytes: number;
  readonly bytesRatio: number;
  readonly importMs: number;
  readonly firstInvocationMs: number;
  readonly totalMs: number;
  readonly totalRatio: number;
  readonly isUndiciLoaded: boolean;
}

interface Start {
  readonly statusCode: number;
  readonly importMs: number;
  readonly firstInvocationMs: number;
  readonly isUndiciLoaded: boolean;
}

/** Starts every bundle of every variant once per round, each in a fresh process, one after the other. */
export async function measureColdStarts(
  { all, environment }: Variants,
  stubEndpoint: string,
  rounds: number,
  progress: (done: string) => void,
): Promise<ColdStart[]> {
  const starts = new Map<string, Start[]>();
  const startsOf = (operation: Operation, variant: string) => {
    const key = `${operation} ${variant}`;
    const known = starts.get(key) ?? [];
    starts.set(key, known);
    return known;
  };
  for (let round = 1; round <= rounds; round += 1) {
    for (const operation of OPERATIONS) {
      for (const { name, bundle } of all) {
        const settings = environment(operation, stubEndpoint);
        startsOf(operation, name).push(await start(bundle[operation], operation, settings));
      }
    }
    progress(`round ${round} of ${rounds}`);
  }
  return OPERATIONS.flatMap(operation =>
    all.map(({ name, bundle }) => {
      const [bare] = all;
      const bytes = statSync(bundle[operation]).size;
      const own = startsOf(operation, name);
      return {
        operation,
        variant: name,
        bytes,
        bytesRatio: bytes / statSync(bare?.bundle[operation] ?? '').size,
        importMs: median(own.map(({ importMs }) => importMs)),
        firstInvocationMs: median(own.map(({ firstInvocationMs }) => firstInvocationMs)),
        totalMs: median(own.map(total)),
        totalRatio: ratioByRound(own.map(total), startsOf(operation, BARE).map(total)),
        isUndiciLoaded: own.some(({ isUndiciLoaded }) => isUndiciLoaded),
      };
    }),
  );
}

function total({ importMs, firstInvocationMs }: Start): number {
  return importMs + firstInvocationMs;
}

async function start(bundle: string, operation: Operation, settings: Record<string, string>): Promise<Start> {
  const { event } = FIRST_REQUEST[operation];
  const { stdout } = await promisify(execFile)(process.execPath, [COLD_PROCESS, bundle, event], {
    env: settings,
  });
  const result: Start = JSON.parse(stdout);
  if (result.statusCode >= 300) throw new Error(`${bundle} answered ${result.statusCode} when it started.`);
  return result;
}
