import { availableParallelism } from 'node:os';
import { parseOptions, UsageError } from '../../script-options.ts';

export const HELP = `Breaks the synthesized templates in one place at a time, and tells whether a test would notice.

Usage: npm run template-mutants -- [options]

  --quick           one mutant of each rule instead of all
  --only <text>     only mutants whose name contains this text
  --list            print the names of the mutants, and judge none
  --workers <n>     processes that judge at the same time (default: one per processor, here ${availableParallelism()})
  --json <file>     where to write the results (default .cache/template-mutants.json)
  --help            show this

Each mutant is judged by the tests of the stack, and those that survive them by petstore smoke. A survivor has to be
listed in test/mutation/templates/README.md with its reason.

Exit codes: 0 no other mutant survives than those listed, 1 one does, or a listed one is caught, 2 wrong usage.
`;

export interface MutantOptions {
  readonly isQuick: boolean;
  readonly only: string;
  readonly isList: boolean;
  readonly workers: number;
  readonly jsonFile: string;
  readonly help: boolean;
}

const OPTIONS = {
  quick: { type: 'boolean' },
  only: { type: 'string' },
  list: { type: 'boolean' },
  workers: { type: 'string' },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[]): MutantOptions {
  const { quick, only, list, workers, json, help } = parseOptions(args, OPTIONS);
  if (workers !== undefined && !/^[1-9]\d?$/.test(workers)) {
    throw new UsageError(`--workers takes a number from 1 to 99, not "${workers}".`);
  }
  return {
    isQuick: quick ?? false,
    only: only ?? '',
    isList: list ?? false,
    workers: workers === undefined ? availableParallelism() : Number(workers),
    jsonFile: json ?? '.cache/template-mutants.json',
    help: help ?? false,
  };
}
