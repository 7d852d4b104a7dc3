import { nearest } from '../../../nearest.ts';
import { usageError } from '../command-error.ts';
import { withValues } from '../known-values.ts';
import type { PetstoreCommand } from '../petstore-command.ts';
import { bashScript } from './bash-script.ts';
import { completedProgram } from './completed-program.ts';
import { fishScript } from './fish-script.ts';
import { zshScript } from './zsh-script.ts';

/** The scripts hold everything that can be completed, so that a Tab starts no process and calls nobody. */
const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;
type Shell = keyof typeof SCRIPTS;
const SHELLS = Object.keys(SCRIPTS) as Shell[];

/** petstore completion: the script that completes this command in a shell. */
export function addCompletionCommand(program: PetstoreCommand): void {
  program
    .command('completion')
    .summary('print the completion script of a shell')
    .description(
      'Prints the script by which a shell completes the commands, their options and their values. Load it where your shell starts: in bash and zsh with "source <(petstore completion bash)", in fish with "petstore completion fish | source". It completes the command petstore: where that is not installed, define petstore() { npx petstore "$@"; } first.',
    )
    .argument('<shell>', SHELLS.join(', '), withValues(SHELLS, readShell))
    .examples('completion bash', 'completion zsh', 'completion fish')
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell](completedProgram(program)));
    });
}

function readShell(text: string): Shell {
  const shell = SHELLS.find(known => known === text);
  if (shell) return shell;
  const meant = nearest(text, SHELLS);
  throw usageError(
    `The shells are ${SHELLS.join(', ')}, not "${text}".`,
    ...(meant ? [`Did you mean: ${meant}?`] : []),
  );
}
