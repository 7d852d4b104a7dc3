import { HELP, readOptions } from './options.ts';

/** Errors that only need their message, by name: loading their classes takes most of a second. Others show the stack. */
const FOR_THE_USER = [
  'UsageError',
  'DataFormatError',
  'SynthesisError',
  'LocalAwsError',
  'BrokenFunctionError',
];

/** Read at once: the process that started this one may be gone before the start is over. */
const parent = process.ppid;

/** Messages go to standard error, so that the result on standard output can be piped. */
const report = (line: string) => process.stderr.write(`${line}\n`);

try {
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) process.stdout.write(HELP);
  else {
    // Loaded here, so that a mistake in the options is reported at once.
    const { startService } = await import('./start-service.ts');
    await startService(options, { parent, report });
  }
} catch (error) {
  const { name } = error as Error;
  report(textOf(error as NodeJS.ErrnoException));
  process.exit(name === 'UsageError' ? 2 : 1);
}

function textOf({ name, code = '', path, message, stack }: NodeJS.ErrnoException): string {
  if (FOR_THE_USER.includes(name)) return message;
  if (path !== undefined && ['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(code)) {
    return `${path} can't be written (${code}). Builds are stored in .cache/ of the checkout, and data in .local/.`;
  }
  return stack ?? message;
}
