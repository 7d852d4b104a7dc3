import { runCommandLine } from './run-command-line.ts';

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  process.exit();
});
process.exitCode = await runCommandLine(process.argv.slice(2));
