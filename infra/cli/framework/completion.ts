import type { Argument, Command, Option } from 'commander';
import type { PetstoreCommand } from './petstore-command.ts';

/**
 * What each shell runs on Tab: `petstore complete <shell> <line>`, with the line up to the cursor. A choice of an option or
 * argument is declared with `choices`.
 */
const SCRIPTS = {
  // Bash replaces only what follows the last = or :, or whatever else ends a word in this shell.
  bash: `_petstore() {
  local IFS=$'\\n' line=\${COMP_LINE:0:COMP_POINT}
  local word=\${line##* }
  local kept=\${word%"\${word##*["$COMP_WORDBREAKS"]}"}
  COMPREPLY=($(petstore complete bash "$line" 2>/dev/null))
  COMPREPLY=("\${COMPREPLY[@]#"$kept"}")
}
complete -F _petstore petstore
`,
  zsh: `#compdef petstore
_petstore() {
  local -a found=("\${(@f)$(petstore complete zsh "\${(j: :)words[1,CURRENT-1]} $PREFIX" 2>/dev/null)}")
  [[ -n $found ]] && _describe petstore found
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
compdef _petstore petstore
`,
  fish: `complete -c petstore -f -a '(petstore complete fish (commandline -cp) 2>/dev/null)'
`,
};

type Shell = keyof typeof SCRIPTS;
const SHELLS = Object.keys(SCRIPTS);

const LINES: Readonly<Record<Shell, (candidate: Candidate) => string>> = {
  bash: ({ word }) => word,
  zsh: ({ word, description }) => `${word.replaceAll(':', '\\:')}:${description}`,
  fish: ({ word, description }) => `${word}\t${description}`,
};

export function addCompletionCommand(program: PetstoreCommand): void {
  program
    .command('completion')
    .summary('print a shell completion script')
    .description(
      'Prints a script that completes commands, options and values in your shell. Load it when the shell starts: in bash with "source <(petstore completion bash)", in zsh with "source <(petstore completion zsh)", in fish with "petstore completion fish | source". The script runs petstore, which must be on your PATH: the README shows how.',
    )
    .choiceArgument('<shell>', SHELLS)
    .examples('completion bash', 'completion zsh', 'completion fish')
    .action((shell: Shell) => {
      process.stdout.write(SCRIPTS[shell]);
    });
  program
    .command('complete', { hidden: true })
    .description('Prints how a line can be completed, for the scripts of "completion".')
    .choiceArgument('<shell>', SHELLS)
    .argument('<line>', 'the line up to the cursor')
    .examples('complete bash "petstore keys cr"')
    .action((shell: Shell, line: string) => {
      const lines = completionsOf(program, line).map(LINES[shell]);
      if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
    });
}

interface Candidate {
  readonly word: string;
  readonly description: string;
}

export function completionsOf(program: Command, line: string): Candidate[] {
  const words = [...line.matchAll(/(?:"[^"]*"?|'[^']*'?|[^\s"'])+/g)].map(([word]) => word);
  const typed = /\s$/.test(line) ? '' : (words.pop() ?? '');
  const { command, position, option } = placeAfter(program, words.slice(1));

  const [, flag, value] = /^(--[^=]+)=(.*)$/.exec(typed) ?? [];
  if (flag !== undefined && value !== undefined) {
    return valuesOf(
      optionsOf(command).find(({ long }) => long === flag),
      value,
      `${flag}=`,
    );
  }
  if (option) return valuesOf(option, typed);
  const commands = position === 0 ? command.createHelp().visibleCommands(command) : [];
  const candidates = [
    ...valuesOf(command.registeredArguments[position], typed),
    ...commands.map(child => ({ word: child.name(), description: child.summary() })),
  ];
  const options = optionsOf(command).map(({ long, description }) => ({ word: long ?? '', description }));
  const offered = typed.startsWith('-') || candidates.length === 0 ? options : candidates;
  return offered.filter(({ word }) => word.startsWith(typed));
}

/** The command that words name, how many arguments follow it, and the option that still needs its value. */
function placeAfter(program: Command, words: readonly string[]) {
  let command = program;
  let position = 0;
  let option: Option | undefined;
  for (const word of words) {
    if (option) {
      option = undefined;
      continue;
    }
    if (word.startsWith('-')) {
      const known = optionsOf(command).find(({ long, short }) => word === long || word === short);
      option = known?.required || known?.optional ? known : undefined;
      continue;
    }
    const child = command.commands.find(each => each.name() === word || each.aliases().includes(word));
    if (child && position === 0) command = child;
    else position += 1;
  }
  return { command, position, option };
}

/** The options of a command and those of every command, as its help shows them. */
function optionsOf(command: Command): Option[] {
  const help = command.createHelp();
  return [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)];
}

/** The choices for a value; in a list, for its last item, without those that it has already. */
function valuesOf(of: Option | Argument | undefined, typed: string, before = ''): Candidate[] {
  const list = typed.slice(0, typed.lastIndexOf(',') + 1);
  const given = list.split(',');
  return (of?.argChoices ?? [])
    .filter(choice => !given.includes(choice))
    .map(choice => `${list}${choice}`)
    .filter(word => word.startsWith(typed))
    .map(word => ({ word: `${before}${word}`, description: '' }));
}
