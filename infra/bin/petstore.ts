import type { PetstoreCommand } from '../cli/framework/petstore-command.ts';
import { runCommandLine } from '../cli/framework/run-command-line.ts';
import { commandLineProgram } from '../cli/program.ts';
import { addDashboardCommand } from '../dashboard/server/dashboard-command.ts';

/** The whole command: the dashboard uses infra/cli, so it is added here and not there. */
export function petstoreProgram(): PetstoreCommand {
  return commandLineProgram(addDashboardCommand);
}

/** Runs the command line of this process. */
export async function runPetstore(): Promise<void> {
  // The reader of a pipe may close it early, as `head` does.
  process.stdout.on('error', error => {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') process.exit();
    process.stderr.write(`Error: The output cannot be written: ${error.message}\n`);
    process.exit(1);
  });
  process.exitCode = await runCommandLine(petstoreProgram(), process.argv.slice(2));
}
