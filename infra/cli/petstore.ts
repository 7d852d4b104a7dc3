import { runCommandLine } from './run-command-line.ts';

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
  process.stderr.write(`Error: The output cannot be written: ${error.message}\n`);
  process.exit(1);
});
process.exitCode = await runCommandLine(process.argv.slice(2));
