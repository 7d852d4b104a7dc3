import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { startDynamoDbLocal } from '../../../infra/local/dynamodb/dynamodb-local.ts';
import { synthesize } from '../../../infra/start/synthesize.ts';
import {
  chosenNames,
  parseOptions,
  reportProgress,
  runScript,
  wholeNumber,
  writeResult,
} from '../../script.ts';
import { tablesOf } from '../../setup/before-all-tests.ts';
import { type FileScore, fileScores, scoreTable, shortfalls } from './scores.ts';
import { SUBJECTS, type Subject } from './subjects.ts';

type PartialOptions = ConstructorParameters<typeof Stryker>[0];

const PROJECT = resolve(import.meta.dirname, '../../..');

const NAMES = SUBJECTS.map(({ name }) => name);

const HELP = `Changes the code that must not be wrong, a token at a time (Stryker), and reports which changes no test detects.

Usage: npm run mutate -- [options]

  --only <subjects>   only these, separated by commas: ${NAMES.slice(0, 5).join(', ')},
                      ${NAMES.slice(5).join(', ')}
  --workers <n>       processes that run tests at the same time (default 1)
  --fresh             try everything again, also what is unchanged since the last run
  --json <file>       where to write the results (default .cache/mutate.json)
  --help              show this

test/mutation/README.md explains the results. Exit codes: 0 every score is at least 90 %, and nothing survives where
nothing may; 1 otherwise; 2 wrong usage.
`;

const OPTIONS = {
  only: { type: 'string' },
  workers: { type: 'string', default: '1' },
  fresh: { type: 'boolean', default: false },
  json: { type: 'string', default: '.cache/mutate.json' },
} as const;

await runScript(HELP, async args => {
  const { only, fresh, json, ...options } = parseOptions(args, OPTIONS);
  const names = chosenNames('--only', only, NAMES);
  const subjects = SUBJECTS.filter(({ name }) => names.includes(name));
  const workers = wholeNumber('--workers', options.workers, 1, 99);
  reportProgress('Synthesizing the stacks …');
  const assembly = await synthesize();
  const engine = startDynamoDbLocal(undefined, () => {});
  const scores: FileScore[] = [];
  try {
    // One engine for all runs, and the tables of the unchanged stack.
    const provided = { assembly, tables: tablesOf(assembly), dynamoDbEndpoint: await engine.endpoint };
    for (const subject of subjects) {
      reportProgress(`${subject.name} …`);
      const ofSubject = await scoresOf(subject, provided, workers, fresh);
      for (const { file, caught, survived } of ofSubject)
        reportProgress(`${file}: ${caught} caught, ${survived} survived`);
      scores.push(...ofSubject);
    }
  } finally {
    await engine.stop();
  }
  const faults = shortfalls(scores, subjects);
  writeResult(json, { scores, faults });
  process.stdout.write(`${scoreTable(scores)}\n\n`);
  for (const { at, mutator, replacement } of scores.flatMap(({ survivors }) => survivors)) {
    process.stdout.write(`${at}: ${mutator} survives: ${replacement}\n`);
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`The results are in ${json}.\n`);
  if (faults.length > 0) process.exitCode = 1;
});

async function scoresOf(
  subject: Subject,
  provided: object,
  workers: number,
  isFresh: boolean,
): Promise<FileScore[]> {
  const incrementalFile = `.cache/mutate/${subject.name}.json`;
  forgetSurvivors(incrementalFile);
  const sources = globSync(subject.sources, { cwd: PROJECT });
  // Stryker starts processes that inherit the environment; vitest.config.ts reads this there.
  process.env.PETSTORE_MUTATE = JSON.stringify({ sources, tests: subject.tests, provided });
  const results = await new Stryker({
    mutate: [...subject.sources],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/mutation/code/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: workers,
    ignorePatterns: ['.cache', '.local', '.ci', 'cdk.out', 'infra/dashboard'],
    tempDirName: '.cache/stryker',
    reporters: ['progress-append-only'],
    // What was caught before, also by a run that was interrupted, is not tried again unless it or its test has changed.
    incremental: true,
    incrementalFile,
    force: isFresh,
    // The values of an enumeration that only a package of Stryker's own exports.
    logLevel: 'warn' as NonNullable<PartialOptions['logLevel']>,
    // A busy machine isn't an endless loop: a change that was not caught would count as caught.
    timeoutMS: 300_000,
    timeoutFactor: 4,
    dryRunTimeoutMinutes: 15,
    disableTypeChecks: false,
    // No such file: Stryker would rewrite the real one with the API of TypeScript, which TypeScript 7 does not have.
    tsconfigFile: 'test/mutation/code/tsconfig.json',
    allowEmpty: true,
  }).runMutationTest();
  return fileScores(subject, results, PROJECT);
}

/**
 * Leaves in the file of an earlier run only the changes that a test has caught, so that all others are tried again. Stryker
 * would keep a surviving change of a constant although a new test catches it: it does not know which tests reach a constant.
 */
function forgetSurvivors(file: string): void {
  if (!existsSync(file)) return;
  const results: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
    readFileSync(file, 'utf8'),
  );
  for (const tried of Object.values(results.files)) {
    tried.mutants = tried.mutants.filter(({ status }) => status === 'Killed');
  }
  writeFileSync(file, JSON.stringify(results));
}
