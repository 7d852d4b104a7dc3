import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { hashOf } from '../../infra/source-cache.ts';
import { SynthesisError, synthesize } from '../../infra/start/synthesize.ts';
import { UsageError } from '../script-options.ts';
import { HELP, type RunOptions, readOptions } from './run-options.ts';
import { type RangeOutcome, SeedProgress } from './seed-ranges.ts';

/** What a run depends on. */
const SOURCES = ['package-lock.json', 'shared/**/*.ts', 'infra/stack/**/*.ts', 'test/simulation/**/*.ts'];

/** The seeds that a process runs at a time: seconds of work, which is all that an interruption loses. */
const PIECE_LENGTH = 50;

/** Lines of the trace that a violation prints. */
const TRACE_LINES = '150';

const startedAtMs = Date.now();
const seconds = () => (Date.now() - startedAtMs) / 1000;
const report = (line: string) => process.stderr.write(`${seconds().toFixed(0).padStart(5)} s  ${line}\n`);

/** Runs what is missing, and returns 1 if an invariant was violated. */
async function run(options: RunOptions): Promise<number> {
  const { seeds: count, first, processes, progressFile, isAnew } = options;
  const assembly = await synthesize();
  if (isAnew) rmSync(progressFile, { force: true });
  const progress = new SeedProgress(progressFile, hashOf(SOURCES));
  const range = { first, count };
  const pieces = progress.missing(range, PIECE_LENGTH);
  const doneBefore = progress.doneOf(range);
  report(`${count} seeds from ${first} on, ${doneBefore} of them run before; ${processes} processes.`);

  const onOutcome = (outcome: RangeOutcome) => {
    progress.record(outcome);
    for (const { seed, what } of outcome.violations) {
      report(
        `Seed ${seed} violates an invariant. Repeat it: npm run simulate -- --anew --first ${seed} --seeds 1`,
      );
      process.stderr.write(`${what}\n`);
    }
    const done = progress.doneOf(range);
    const left = ((count - done) / (done - doneBefore)) * seconds();
    report(`${done} of ${count} seeds, ${progress.violations.length} violations, ${minutes(left)} left`);
  };
  await Promise.all(
    Array.from({ length: Math.min(processes, pieces.length) }, () =>
      workThrough(pieces, startProcess(assembly), onOutcome),
    ),
  );

  const { violations, wentLive, longestHistory } = progress;
  process.stdout.write(
    `${progress.doneOf(range)} seeds: domains went live ${wentLive} times, the longest execution history has ` +
      `${longestHistory} events, ${violations.length} violations${violations.map(({ seed }) => ` ${seed}`)}.\n` +
      `What was run is in ${progressFile}.\n`,
  );
  return violations.length > 0 ? 1 : 0;
}

function startProcess(assembly: string): ChildProcess {
  return fork(join(import.meta.dirname, 'simulate-range.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The processes share the cores, so that a collection of garbage on several threads only costs more.
    execArgv: ['--max-semi-space-size=32', '--single-threaded-gc'],
    env: {
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'simulation',
      AWS_SECRET_ACCESS_KEY: 'simulation',
      SIMULATION_ASSEMBLY: assembly,
      SIMULATION_LINES: TRACE_LINES,
    },
  });
}

/** Has a process run pieces until none is left. */
async function workThrough(
  pieces: { first: number; count: number }[],
  child: ChildProcess,
  onOutcome: (outcome: RangeOutcome) => void,
): Promise<void> {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`A process that runs seeds ended with the exit code ${code}.`);
  });
  died.catch(() => {});
  for (let piece = pieces.shift(); piece; piece = pieces.shift()) {
    child.send(piece);
    const [outcome] = await Promise.race([once(child, 'message'), died]);
    onOutcome(outcome as RangeOutcome);
  }
  child.disconnect();
}

function minutes(duration: number): string {
  if (!Number.isFinite(duration)) return 'unknown time';
  return duration < 90 ? `${Math.ceil(duration)} s` : `${Math.ceil(duration / 60)} min`;
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else process.exitCode = await run(options);
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof SynthesisError;
  process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
