import { globSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { Stryker } from '@stryker-mutator/core';
import { startDynamoDbLocal } from '../../../infra/local/dynamodb/dynamodb-local.ts';
import { SynthesisError, synthesize } from '../../../infra/start/synthesize.ts';
import { UsageError } from '../../script-options.ts';
import { tablesOf } from '../../setup/synthesized-stacks.ts';
import { forgetSurvivors } from './kept-results.ts';
import { HELP, type MutateOptions, readOptions } from './options.ts';
import { type FileScore, fileScores, scoreTable, shortfalls } from './scores.ts';
import type { Subject } from './subjects.ts';

type PartialOptions = ConstructorParameters<typeof Stryker>[0];

const PROJECT = resolve(import.meta.dirname, '../../..');

const startedAt = Date.now();

/** Progress goes to standard error, because the results on standard output may be piped. */
const report = (line: string) =>
  process.stderr.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

async function mutate({ subjects, workers, isFresh, jsonFile }: MutateOptions): Promise<void> {
  report('Synthesizing the stacks …');
  const assembly = await synthesize();
  const engine = startDynamoDbLocal(undefined, () => {});
  const scores: FileScore[] = [];
  try {
    // One engine for all runs, and the tables of the unchanged stack.
    const provided = { assembly, tables: tablesOf(assembly), dynamoDbEndpoint: await engine.endpoint };
    for (const subject of subjects) {
      report(`${subject.name} …`);
      const ofSubject = await scoresOf(subject, provided, workers, isFresh);
      for (const { file, caught, survived } of ofSubject)
        report(`${file}: ${caught} caught, ${survived} survived`);
      scores.push(...ofSubject);
    }
  } finally {
    await engine.stop();
  }
  const faults = shortfalls(scores, subjects);
  mkdirSync(dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify({ scores, faults }, null, 2)}\n`);
  process.stdout.write(`${scoreTable(scores)}\n\n`);
  for (const { at, mutator, replacement } of scores.flatMap(({ survivors }) => survivors)) {
    process.stdout.write(`${at}: ${mutator} survives: ${replacement}\n`);
  }
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.stdout.write(`The results are in ${jsonFile}.\n`);
  if (faults.length > 0) process.exitCode = 1;
}

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
    plugins: ['@stryker-mutator/vitest-runner', resolve(import.meta.dirname, 'progress.ts')],
    vitest: { configFile: 'test/mutation/code/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    concurrency: workers,
    ignorePatterns: ['.cache', '.local', '.ci', 'cdk.out', 'infra/dashboard'],
    tempDirName: '.cache/stryker',
    reporters: ['progress-lines'],
    // What was caught before, also by a run that was interrupted, is not tried again unless it or its test has changed.
    incremental: true,
    incrementalFile,
    force: isFresh,
    // The values of an enumeration that only a package of Stryker's own exports.
    logLevel: 'warn' as NonNullable<PartialOptions['logLevel']>,
    // A busy machine is no endless loop: a change that was not caught would count as caught.
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

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else await mutate(options);
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof SynthesisError;
  process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
