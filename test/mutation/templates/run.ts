import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SynthesisError, synthesize } from '../../../infra/start/synthesize.ts';
import { UsageError } from '../../script-options.ts';
import { judgeBySmoke } from './judge-by-smoke.ts';
import { judgeByTests, type Verdict } from './judge-by-tests.ts';
import { MutatedAssembly } from './mutated-assembly.ts';
import { HELP, type MutantOptions, readOptions } from './options.ts';
import { differences, listedSurvivors } from './survivors.ts';
import { oneOfEachRule } from './template-mutants.ts';

const startedAt = Date.now();

/** Progress goes to standard error, because the results on standard output may be piped. */
const report = (line: string) =>
  process.stderr.write(`${((Date.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

const PROGRESS_EVERY = 100;

async function judgeMutants({ isQuick, only, isList, workers, jsonFile }: MutantOptions): Promise<void> {
  report('Synthesizing the stacks …');
  using assembly = new MutatedAssembly(await synthesize());
  const named = assembly.mutants.filter(({ id }) => id.includes(only));
  const mutants = isQuick ? oneOfEachRule(named) : named;
  if (mutants.length === 0) throw new UsageError(`No mutant has a name with "${only}" in it.`);
  if (isList) {
    process.stdout.write(mutants.map(({ id }) => `${id}\n`).join(''));
    return;
  }

  report(`${mutants.length} mutants are judged by the tests of the stack …`);
  let count = 0;
  const byTests = await judgeByTests(
    await synthesize(),
    mutants.map(({ id }) => id),
    workers,
    ({ id, caughtBy }) => {
      count += 1;
      if (caughtBy === undefined) report(`survives the tests: ${id}`);
      if (count % PROGRESS_EVERY === 0) report(`${count} of ${mutants.length}`);
    },
  );
  const survivors = new Set(byTests.filter(({ caughtBy }) => caughtBy === undefined).map(({ id }) => id));
  report(`${survivors.size} mutants are judged by petstore smoke …`);
  const bySmoke = await judgeBySmoke(
    assembly,
    mutants.filter(({ id }) => survivors.has(id)),
    ({ id, caughtBy }) => report(`${id}: ${caughtBy === undefined ? 'survives' : 'caught'}`),
  );
  finish([...byTests.filter(({ id }) => !survivors.has(id)), ...bySmoke], jsonFile);
}

function finish(verdicts: readonly Verdict[], jsonFile: string): void {
  const listed = listedSurvivors(readFileSync(join(import.meta.dirname, 'README.md'), 'utf8'));
  const faults = differences(verdicts, listed);
  const survivors = verdicts.filter(({ caughtBy }) => caughtBy === undefined);
  mkdirSync(dirname(jsonFile), { recursive: true });
  writeFileSync(jsonFile, `${JSON.stringify({ verdicts, faults }, null, 2)}\n`);
  process.stdout.write(
    `${verdicts.length} mutants: ${verdicts.length - survivors.length} caught, ${survivors.length} survive.\n`,
  );
  for (const fault of faults) process.stdout.write(`  ${fault}\n`);
  process.stdout.write(`The results are in ${jsonFile}.\n`);
  if (faults.length > 0) process.exitCode = 1;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else await judgeMutants(options);
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof SynthesisError;
  process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
