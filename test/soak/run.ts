import { chosenNames, parseOptions, runScript, UsageError, wholeNumber, writeResult } from '../script.ts';
import { type SoakResult, soak } from './soak.ts';
import { PARTS } from './world.ts';

const HELP = `Runs the whole service under load, faults and kills, and checks that nothing acknowledged is lost, doubled or left behind.

Usage: npm run soak -- [options]

  --minutes <n>     how long faults and kills go on (default 5; fractions are allowed)
  --seed <n>        seed of the faults, kills and workloads (default: chosen at random and printed)
  --only <parts>    only these workloads, separated by commas: pets, orders, keys, domains
  --json <file>     where to write the result (default .cache/soak.json)
  --keep            keep the folder of the service: its data and its logs
  --help            show this

Afterwards faults stop, open work ends, domains come to rest, and everything is checked: some minutes more. The exit
code is 0 when nothing was violated, 1 when something was, and 2 for a mistake in the options. A seed repeats the plan of
a run (when what fails, what is asked); the order in which a machine carries it out differs from run to run.
`;

const OPTIONS = {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
  only: { type: 'string' },
  json: { type: 'string', default: '.cache/soak.json' },
  keep: { type: 'boolean', default: false },
} as const;

const LONGEST_MINUTES = 24 * 60;
const LARGEST_SEED = 2 ** 31 - 1;

await runScript(HELP, async args => {
  const { minutes, seed, only, json, keep } = parseOptions(args, OPTIONS);
  const options = {
    minutes: readMinutes(minutes),
    seed: seed === undefined ? Math.floor(Math.random() * 1e6) : wholeNumber('--seed', seed, 0, LARGEST_SEED),
    parts: chosenNames('--only', only, PARTS),
    keepsFolder: keep,
  };
  // Progress goes to standard error, because the result on standard output may be piped.
  const result = await soak(options, line => process.stderr.write(`${line}\n`));
  writeResult(json, result);
  process.stdout.write(`${summaryText(result)}\nThe result is in ${json}.\n`);
  if (result.violations.length > 0) process.exitCode = 1;
});
// Connections that are kept open, or an interval of a library, must not keep a finished run alive.
process.exit();

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d*\.?\d+$/.test(text) && minutes > 0 && minutes <= LONGEST_MINUTES) return minutes;
  throw new UsageError(`--minutes takes a number above 0 and up to ${LONGEST_MINUTES}, not "${text}".`);
}

/** The result of a run for a reader: what was tried, how often, and what failed. */
function summaryText({
  seed,
  minutes,
  parts,
  tried,
  faults,
  violations,
  violationCounts,
}: SoakResult): string {
  const rows = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([what, times]) => `  ${what.padEnd(44)} ${grouped(times).padStart(10)}`);
  const found = violations.map(
    ({ kind, what, atMs }) => `  ${(atMs / 1000).toFixed(1).padStart(6)} s  ${kind}: ${what}`,
  );
  const counts = Object.entries(violationCounts).map(([kind, count]) => `${grouped(count)} × ${kind}`);
  const only = parts.length === PARTS.length ? '' : ` --only ${parts.join(',')}`;
  return [
    `Soak of ${minutes} min, seed ${seed}.`,
    'Tried:',
    ...rows(tried),
    'Faults:',
    ...rows(faults),
    ...(violations.length === 0
      ? ['Nothing was lost, doubled, altered, refused without reason or left behind.']
      : [
          `VIOLATED: ${counts.join(', ')}`,
          ...found,
          `Repeat it with: npm run soak -- --minutes ${minutes} --seed ${seed}${only}`,
        ]),
  ].join('\n');
}

function grouped(number: number): string {
  return number.toLocaleString('en-US');
}
