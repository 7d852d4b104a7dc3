import { runCommandLine } from '../cli/framework/run-command-line.ts';
import { petstoreProgram } from './petstore-program.ts';

// The reader of a pipe may close it early, as `head` does.
process.stdout.on('error', error => {
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
  process.stderr.write(`Error: The output can't be written: ${error.message}\n`);
  process.exit(1);
});
const words = process.argv.slice(2);
process.exitCode = await runCommandLine(await petstoreProgram(words), words);
