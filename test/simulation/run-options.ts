import { availableParallelism } from 'node:os';
import { parseOptions, UsageError } from '../script-options.ts';

export const HELP = `Runs the simulation of custom domains (test/simulation/README.md) for many seeds, on all cores.

Usage: npm run simulate -- [options]

  --seeds <count>      how many seeds to run (default 1000)
  --first <seed>       the first of them (default 1)
  --processes <count>  how many processes run seeds (default: one for each core)
  --progress <file>    where it keeps what was run (default .cache/simulation.json)
  --anew               forget what was run, and begin anew
  --help               show this

What was run with the same sources is kept, so that a run that was ended goes on where it was. The exit code is 1 when a
seed violates an invariant; the message says how to repeat it.
`;

export interface RunOptions {
  readonly seeds: number;
  readonly first: number;
  readonly processes: number;
  readonly progressFile: string;
  readonly isAnew: boolean;
  readonly help: boolean;
}

const OPTIONS = {
  seeds: { type: 'string' },
  first: { type: 'string' },
  processes: { type: 'string' },
  progress: { type: 'string' },
  anew: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[]): RunOptions {
  const { seeds, first, processes, progress, anew, help } = parseOptions(args, OPTIONS);
  return {
    seeds: wholeNumber('--seeds', seeds ?? '1000', 1),
    first: wholeNumber('--first', first ?? '1', 0),
    processes: wholeNumber('--processes', processes ?? String(availableParallelism()), 1),
    progressFile: progress ?? '.cache/simulation.json',
    isAnew: anew ?? false,
    help: help ?? false,
  };
}

function wholeNumber(name: string, text: string, least: number): number {
  if (!/^\d{1,9}$/.test(text) || Number(text) < least) {
    throw new UsageError(`${name} takes a whole number from ${least} on, not "${text}".`);
  }
  return Number(text);
}
