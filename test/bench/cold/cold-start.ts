import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median, ratioByRound } from '../report/statistics.ts';
import { BARE } from '../variants/variants.ts';
import type { ColdBundle } from './cold-bundles.ts';

const COLD_PROCESS = join(import.meta.dirname, 'cold-process.js');

/** The cold start of one bundle: medians of CPU time in milliseconds, and ratios to the bare handler. */
export interface ColdStart {
  readonly operation: string;
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

/** Starts every bundle once per round, each in a fresh process, one after the other. */
export async function measureColdStarts(
  bundles: readonly ColdBundle[],
  rounds: number,
  progress: (done: string) => void,
): Promise<ColdStart[]> {
  const starts = new Map<ColdBundle, Start[]>(bundles.map(bundle => [bundle, []]));
  for (let round = 1; round <= rounds; round += 1) {
    for (const [bundle, own] of starts) own.push(await start(bundle));
    progress(`round ${round} of ${rounds}`);
  }
  return bundles.map(cold => {
    const own = starts.get(cold) ?? [];
    const bare = bundles.find(
      ({ operation, variant }) => variant === BARE && operation === cold.bareOperation,
    );
    const bareStarts = (bare && starts.get(bare)) ?? [];
    const bytes = statSync(cold.bundle).size;
    return {
      operation: cold.operation,
      variant: cold.variant,
      bytes,
      bytesRatio: bytes / statSync(bare?.bundle ?? '').size,
      importMs: median(own.map(({ importMs }) => importMs)),
      firstInvocationMs: median(own.map(({ firstInvocationMs }) => firstInvocationMs)),
      totalMs: median(own.map(total)),
      totalRatio: ratioByRound(own.map(total), bareStarts.map(total)),
      isUndiciLoaded: own.some(({ isUndiciLoaded }) => isUndiciLoaded),
    };
  });
}

function total({ importMs, firstInvocationMs }: Start): number {
  return importMs + firstInvocationMs;
}

async function start({ bundle, environment, event }: ColdBundle): Promise<Start> {
  const { stdout } = await promisify(execFile)(process.execPath, [COLD_PROCESS, bundle, event], {
    env: environment,
  });
  const result: Start = JSON.parse(stdout);
  if (result.statusCode >= 300) throw new Error(`${bundle} answered ${result.statusCode} when it started.`);
  return result;
}
