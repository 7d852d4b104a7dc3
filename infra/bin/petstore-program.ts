import type { PetstoreCommand } from '../cli/framework/petstore-command.ts';
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
