import { petstoreProgram } from '../../../infra/bin/petstore-program.ts';
import type { PetstoreCommand } from '../../../infra/cli/framework/petstore-command.ts';

/** Parses a line such as `npx petstore keys list` as the command does, without carrying it out. Throws if it is wrong. */
export async function parseCommandLine(line: string): Promise<void> {
  const program = await idleProgram();
  await program.parseAsync(wordsOf(line.replace(/^(npx )?petstore /, '')), { from: 'user' });
}

/** The words of a command line as a shell splits it. */
const wordsOf = (line: string) =>
  [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );

/** The petstore command, whose commands do nothing. */
async function idleProgram(): Promise<PetstoreCommand> {
  const program = await petstoreProgram();
  const disarm = (command: PetstoreCommand) => {
    const commands = command.commands as PetstoreCommand[];
    if (commands.length === 0) command.action(() => {});
    for (const each of commands) disarm(each);
  };
  disarm(program);
  return program;
}
