import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { SynthesisError } from '../../infra/start/synthesize.ts';
import { UsageError } from '../script-options.ts';
import { HELP, readOptions, type SoakOptions } from './options.ts';
import { latencyChart } from './report/latency-chart.ts';
import { summaryText } from './report/summary.ts';
import { soak } from './soak.ts';

/** Progress goes to standard error, because the result on standard output may be piped. */
const progress = (line: string) => process.stderr.write(`${line}\n`);

async function run(options: SoakOptions): Promise<void> {
  const result = await soak(options, progress);
  for (const file of [options.jsonFile, options.svgFile]) mkdirSync(dirname(file), { recursive: true });
  writeFileSync(options.jsonFile, `${JSON.stringify(result, null, 2)}\n`);
  writeFileSync(options.svgFile, latencyChart(result));
  process.stdout.write(
    `${summaryText(result)}\nThe result is in ${options.jsonFile}, drawn in ${options.svgFile}.\n`,
  );
  if (result.violations.length > 0) process.exitCode = 1;
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
