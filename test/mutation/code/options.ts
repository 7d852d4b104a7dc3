import { parseOptions, UsageError } from '../../script-options.ts';
import { SUBJECTS } from './subjects.ts';

const NAMES = SUBJECTS.map(({ name }) => name);

export const HELP = `Changes the code that must not be wrong, a token at a time (Stryker), and tells which changes no test notices.

Usage: npm run mutate -- [options]

  --only <subjects>   only these, separated by commas: ${NAMES.slice(0, 5).join(', ')},
                      ${NAMES.slice(5).join(', ')}
  --workers <n>       processes that run tests at the same time (default 1)
  --fresh             try everything again, also what is unchanged since the last run
  --json <file>       where to write the results (default .cache/mutate.json)
  --help              show this

The results are read as in test/mutation/code/README.md. Exit codes: 0 every score is at least 90 %, and nothing survives where
nothing may; 1 otherwise; 2 wrong usage.
`;

export interface MutateOptions {
  readonly subjects: typeof SUBJECTS;
  readonly workers: number;
  readonly isFresh: boolean;
  readonly jsonFile: string;
  readonly help: boolean;
}

const OPTIONS = {
  only: { type: 'string' },
  workers: { type: 'string' },
  fresh: { type: 'boolean' },
  json: { type: 'string' },
  help: { type: 'boolean' },
} as const;

export function readOptions(args: readonly string[]): MutateOptions {
  const { only, workers, fresh, json, help } = parseOptions(args, OPTIONS);
  const names = only === undefined ? NAMES : only.split(',').map(name => name.trim());
  for (const name of names) {
    if (!NAMES.includes(name)) throw new UsageError(`--only takes ${NAMES.join(', ')}, not "${name}".`);
  }
  if (workers !== undefined && !/^[1-9]\d?$/.test(workers)) {
    throw new UsageError(`--workers takes a number from 1 to 99, not "${workers}".`);
  }
  return {
    subjects: SUBJECTS.filter(({ name }) => names.includes(name)),
    workers: Number(workers ?? 1),
    isFresh: fresh ?? false,
    jsonFile: json ?? '.cache/mutate.json',
    help: help ?? false,
  };
}
