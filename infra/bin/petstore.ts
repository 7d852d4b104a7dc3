import type { PetstoreCommand } from '../cli/framework/petstore-command.ts';
import { runCommandLine } from '../cli/framework/run-command-line.ts';
import { commandLineProgram, type Group } from '../cli/program.ts';

/** Added here, because infra/cli doesn't know the dashboard. */
const DASHBOARD: Group = [
  'dashboard',
  'operate the service in a browser',
  () => import('./dashboard-command.ts'),
];

/** The whole command, or what a command line needs of it. */
export function petstoreProgram(words?: readonly string[]): Promise<PetstoreCommand> {
  return commandLineProgram([DASHBOARD], words);
}

export async function runPetstore(): Promise<void> {
  // The reader of a pipe may close it early, as `head` does.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
    process.stderr.write(`Error: The output can't be written: ${error.message}\n`);
    process.exit(1);
  });
  const words = process.argv.slice(2);
  process.exitCode = await runCommandLine(await petstoreProgram(words), words);
}
