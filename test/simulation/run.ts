import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { synthesize } from '../../infra/start/synthesize.ts';
import { elapsedSeconds, parseOptions, reportProgress, runScript, wholeNumber } from '../script.ts';
import { MANAGED_ZONE } from './managed-zone.ts';
import type { SeedOutcome } from './seed-process.ts';

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

/** Progress is reported after so many seeds. */
const REPORTED = 50;

/** Lines of the trace that a violation prints, unless SIMULATION_LINES says otherwise. */
const TRACE_LINES = '150';

await runScript(HELP, async args => {
  const options = parseOptions(args, OPTIONS);
  const count = wholeNumber('--seeds', options.seeds, 1);
  const first = wholeNumber('--first', options.first, 0);
  const processes = wholeNumber('--processes', options.processes, 1);
  const assembly = await synthesize(reportProgress, { managedZoneIds: [MANAGED_ZONE.id] });
  reportProgress(`${count} seeds from ${first} on, in ${processes} processes.`);

  const violations: number[] = [];
  let [done, wentLive, longestHistory] = [0, 0, 0];
  const onOutcome = (seed: number, outcome: SeedOutcome) => {
    done += 1;
    wentLive += outcome.wentLive;
    longestHistory = Math.max(longestHistory, outcome.historyEvents);
    if (outcome.violation !== undefined) {
      violations.push(seed);
      const repeat = `npm run simulate -- --first ${seed} --seeds 1`;
      reportProgress(`Seed ${seed} violates an invariant. Repeat it: ${repeat}`);
      process.stderr.write(`${outcome.violation}\n`);
    }
    if (done % REPORTED !== 0 && done < count) return;
    const left = Math.ceil(((count - done) / done) * elapsedSeconds());
    reportProgress(`${done} of ${count} seeds, ${violations.length} violations, about ${left} s left`);
  };
  const seeds = Array.from({ length: count }, (_, index) => first + index);
  await Promise.all(
    Array.from({ length: Math.min(processes, count) }, () =>
      workThrough(seeds, startProcess(assembly), onOutcome),
    ),
  );

  process.stdout.write(
    `Seeds ${first} to ${first + count - 1}: domains went live ${wentLive} times, the longest execution history has ${longestHistory} events, ` +
      `${violations.length} violations${violations.length > 0 ? ` (seeds ${violations.join(', ')})` : ''}.\n`,
  );
  if (violations.length > 0) process.exitCode = 1;
});

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

/** Has a process run the next seeds until none is left. */
async function workThrough(
  seeds: number[],
  child: ChildProcess,
  onOutcome: (seed: number, outcome: SeedOutcome) => void,
): Promise<void> {
  const died = once(child, 'exit').then(([code]) => {
    throw new Error(`A process that runs seeds ended with the exit code ${code}.`);
  });
  died.catch(() => {});
  for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
    child.send(seed);
    const [outcome] = await Promise.race([once(child, 'message'), died]);
    onOutcome(seed, outcome);
  }
  child.disconnect();
}
