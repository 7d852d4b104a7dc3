import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SynthesisError } from '../../infra/start/synthesize.ts';
import { parseOptions, UsageError } from '../script-options.ts';
import { latencyChart } from './latency-chart.ts';
import { PARTS, type Part, type SoakOptions, summaryText } from './report.ts';
import { soak } from './soak.ts';

const HELP = `Runs the whole service under load, faults and kills, and checks that nothing acknowledged is lost, doubled or left behind.

Usage: npm run soak -- [options]

  --minutes <n>     how long faults and kills go on (default 5; fractions are allowed)
  --seed <n>        seed of the faults, kills and workloads (default: chosen at random and printed)
  --only <parts>    only these workloads, separated by commas: animals, hostile, orders, keys, domains
  --json <file>     where to write the result (default .cache/soak.json)
  --svg <file>      where to draw the latencies over time (default .cache/soak.svg)
  --keep            keep the folder of the service: its data and its logs
  --help            show this

Afterwards faults stop, open work ends, domains come to rest, and everything is checked: some minutes more. The exit
code is 0 when nothing was violated, 1 when something was, and 2 for a mistake in the options. A seed repeats the plan of
a run (when what fails, what is asked); the order in which a machine carries it out differs from run to run.
`;

/** Progress goes to standard error, because the result on standard output may be piped. */
const progress = (line: string) => process.stderr.write(`${line}\n`);

interface RunOptions extends SoakOptions {
  readonly jsonFile: string;
  readonly svgFile: string;
  readonly help: boolean;
}

async function run(options: RunOptions): Promise<void> {
  const result = await soak(options, progress);
  for (const file of [options.jsonFile, options.svgFile]) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(options.svgFile, latencyChart(result));
  process.stdout.write(
    `${summaryText(result)}\nThe result is in ${options.jsonFile}, drawn in ${options.svgFile}.\n`,
  );
  if (result.violations.length > 0) process.exitCode = 1;
}

const LONGEST_MINUTES = 24 * 60;
const LARGEST_SEED = 2 ** 31 - 1;

const OPTIONS = {
  minutes: { type: 'string' },
  seed: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string' },
  svg: { type: 'string' },
  keep: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

function readOptions(args: readonly string[]): RunOptions {
  const { minutes, seed, only, json, svg, keep, help } = parseOptions(args, OPTIONS);
  return {
    minutes: minutes === undefined ? 5 : readMinutes(minutes),
    seed: seed === undefined ? Math.floor(Math.random() * 1e6) : readSeed(seed),
    parts: only === undefined ? PARTS : readParts(only),
    jsonFile: json ?? '.cache/soak.json',
    svgFile: svg ?? '.cache/soak.svg',
    keepsFolder: keep ?? false,
    help: help ?? false,
  };
}

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d*\.?\d+$/.test(text) && minutes > 0 && minutes <= LONGEST_MINUTES) return minutes;
  throw new UsageError(
    `--minutes must be a number above 0 and up to ${LONGEST_MINUTES}, not ${JSON.stringify(text)}.`,
  );
}

function readSeed(text: string): number {
  const seed = Number(text);
  if (/^\d+$/.test(text) && seed <= LARGEST_SEED) return seed;
  throw new UsageError(
    `--seed must be a whole number from 0 to ${LARGEST_SEED}, not ${JSON.stringify(text)}.`,
  );
}

function readParts(text: string): Part[] {
  return text.split(',').map(name => {
    const part = PARTS.find(known => known === name.trim());
    if (part) return part;
    throw new UsageError(`--only takes ${PARTS.join(', ')}, not ${JSON.stringify(name)}.`);
  });
}

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) process.stdout.write(HELP);
  else await run(options);
} catch (error) {
  const isUserError = error instanceof UsageError || error instanceof SynthesisError;
  process.stderr.write(`${isUserError ? error.message : (error as Error).stack}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
}
// Connections that are kept open, or an interval of a library, must not keep a finished run alive.
process.exit();
