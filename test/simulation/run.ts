import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../infra/start/synthesize.ts';
import { elapsedSeconds, parseOptions, reportProgress, runScript, wholeNumber } from '../script.ts';
import type { RangeOutcome, SeedRange } from './seed-process.ts';

const HELP = `Runs the simulation of custom domains (test/simulation/README.md) for many seeds, on all cores.

Usage: npm run simulate -- [options]

  --seeds <count>      how many seeds to run (default 1000)
  --first <seed>       the first of them (default 1)
  --processes <count>  how many processes run seeds (default: one for each core)
  --help               show this

Seeds are run in order, so that an interrupted run can go on with --first. The exit code is 1 when a seed violates an
invariant; the message says how to repeat it.
`;

const OPTIONS = {
  seeds: { type: 'string', default: '1000' },
  first: { type: 'string', default: '1' },
  processes: { type: 'string', default: String(availableParallelism()) },
} as const;

/** The seeds that a process runs at a time: seconds of work. */
const RANGE_LENGTH = 50;

/** Lines of the trace that a violation prints, unless SIMULATION_LINES says otherwise. */
const TRACE_LINES = '150';

await runScript(HELP, async args => {
  const options = parseOptions(args, OPTIONS);
  const count = wholeNumber('--seeds', options.seeds, 1);
  const first = wholeNumber('--first', options.first, 0);
  const processes = wholeNumber('--processes', options.processes, 1);
  const assembly = await synthesize();
  const ranges = rangesOf(first, count);
  const outcomes: RangeOutcome[] = [];
  reportProgress(`${count} seeds from ${first} on, in ${processes} processes.`);

  await Promise.all(
    Array.from({ length: Math.min(processes, ranges.length) }, () =>
      workThrough(ranges, startProcess(assembly), outcome => {
        outcomes.push(outcome);
        for (const { seed, message } of outcome.violations) {
          reportProgress(
            `Seed ${seed} violates an invariant. Repeat it: npm run simulate -- --first ${seed} --seeds 1`,
          );
          process.stderr.write(`${message}\n`);
        }
        const done = outcomes.reduce((sum, each) => sum + each.count, 0);
        const left = Math.ceil(((count - done) / done) * elapsedSeconds());
        const violations = outcomes.flatMap(each => each.violations).length;
        reportProgress(`${done} of ${count} seeds, ${violations} violations, about ${left} s left`);
      }),
    ),
  );

  const violations = outcomes.flatMap(each => each.violations).map(({ seed }) => seed);
  const wentLive = outcomes.reduce((sum, each) => sum + each.wentLive, 0);
  const longestHistory = Math.max(...outcomes.map(each => each.longestHistory));
  process.stdout.write(
    `Seeds ${first} to ${first + count - 1}: domains went live ${wentLive} times, the longest execution history has ${longestHistory} events, ` +
      `${violations.length} violations${violations.length > 0 ? ` (seeds ${violations.join(', ')})` : ''}.\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
});

function rangesOf(first: number, count: number): SeedRange[] {
  return Array.from({ length: Math.ceil(count / RANGE_LENGTH) }, (_, index) => ({
    first: first + index * RANGE_LENGTH,
    count: Math.min(RANGE_LENGTH, count - index * RANGE_LENGTH),
  }));
}

function startProcess(assembly: string): ChildProcess {
  return fork(join(import.meta.dirname, 'seed-process.ts'), {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    // The processes share the cores, so a garbage collection on several threads would only cost more.
    execArgv: ['--max-semi-space-size=32', '--single-threaded-gc'],
    env: {
      SIMULATION_LINES: TRACE_LINES,
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'simulation',
      AWS_SECRET_ACCESS_KEY: 'simulation',
      SIMULATION_ASSEMBLY: assembly,
    },
  });
}

/** Has a process run ranges until none is left. */
async function workThrough(
  ranges: SeedRange[],
  child: ChildProcess,
  onOutcome: (outcome: RangeOutcome) => void,
): Promise<void> {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`A process that runs seeds ended with the exit code ${code}.`);
  });
  died.catch(() => {});
  for (let range = ranges.shift(); range; range = ranges.shift()) {
    child.send(range);
    const [outcome] = await Promise.race([once(child, 'message'), died]);
    onOutcome(outcome as RangeOutcome);
  }
  child.disconnect();
}
