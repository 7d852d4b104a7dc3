import { DataFormatError } from './data-format.ts';
import { HELP, readOptions, UsageError } from './options.ts';
import { SynthesisError } from './synthesize.ts';

/** Read at once: the process that started this one may be gone before the start is over. */
const parent = process.ppid;

/** Messages go to standard error, so that the result on standard output can be piped. */
const report = (line: string) => process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(HELP);
  else {
    // Loading what runs the service takes most of a second, which a mistake in the options need not wait for.
    const { startService } = await import('./start-service.ts');
    await startService(options, { parent, report });
  }
} catch (error) {
  const isForTheUser =
    error instanceof UsageError ||
    (error as Error).name === 'LocalRuntimeError' ||
    error instanceof SynthesisError ||
    error instanceof DataFormatError;
  report(isForTheUser ? (error as Error).message : String((error as Error).stack ?? error));
  process.exit(error instanceof UsageError ? 2 : 1);
}
