import { parseOptions, runScript, UsageError, wholeNumber } from '../script.ts';
import { crash } from './crash.ts';
import { shortfalls } from './findings.ts';

const HELP = `Kills the service again and again while clients use it and DynamoDB fails, and checks that nothing acknowledged is
lost, doubled or altered.

Usage: npm run crash -- [options]

  --minutes <n>     how long the service runs altogether, without its starts (default 5; fractions are allowed)
  --seed <n>        seed of the faults, kills and requests (default: chosen at random and printed)
  --keep            keep the folder of the service: its data and its logs
  --help            show this

The exit code is 0 when nothing was violated, 1 when something was or too little was tried, and 2 for a mistake in the
options. A seed repeats the plan of a run; the order in which a machine carries it out differs from run to run.
`;

const OPTIONS = {
  minutes: { type: 'string', default: '5' },
  seed: { type: 'string' },
  keep: { type: 'boolean', default: false },
} as const;

const LONGEST_MINUTES = 24 * 60;
const LARGEST_SEED = 2 ** 31 - 1;

await runScript(HELP, async args => {
  const values = parseOptions(args, OPTIONS);
  const minutes = readMinutes(values.minutes);
  const seed =
    values.seed === undefined
      ? Math.floor(Math.random() * 1e6)
      : wholeNumber('--seed', values.seed, 0, LARGEST_SEED);
  // Progress goes to standard error, because the result on standard output may be piped.
  const progress = (line: string) => process.stderr.write(`${line}\n`);
  progress(`Crash test of ${minutes} min with the seed ${seed}: synthesizing and starting …`);
  const findings = await crash({ minutes, seed, keepsFolder: values.keep }, progress);
  const { counts, violations, summary } = findings;
  const rows = [...counts]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([what, times]) => `  ${what.padEnd(44)} ${times.toLocaleString('en-US').padStart(8)}`);
  const missing = shortfalls(findings, minutes);
  const isGood = violations.length === 0 && missing.length === 0;
  const lines = [
    `Crash test of ${minutes} min, seed ${seed}.`,
    ...rows,
    ...(violations.length > 0 ? [`VIOLATED: ${summary}`, ...violations.map(each => `  ${each}`)] : []),
    ...missing.map(each => `TOO LITTLE: ${each}`),
    isGood
      ? 'Nothing was lost, doubled, altered or refused without reason.'
      : `Repeat it with: npm run crash -- --minutes ${minutes} --seed ${seed}`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  if (!isGood) process.exitCode = 1;
});
// Connections that are kept open, or an interval of a library, must not keep a finished run alive.
process.exit();

function readMinutes(text: string): number {
  const minutes = Number(text);
  if (/^\d*\.?\d+$/.test(text) && minutes > 0 && minutes <= LONGEST_MINUTES) return minutes;
  throw new UsageError(`--minutes takes a number above 0 and up to ${LONGEST_MINUTES}, not "${text}".`);
}
