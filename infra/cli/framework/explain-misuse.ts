import type { Command, CommanderError } from 'commander';
import { nearest, nearestCommand } from '../../nearest.ts';
import { type CommandError, usageError } from './command-error.ts';

interface MisusedCommand extends Command {
  /** The name with the names of the parents. */
  readonly path: string;
  readonly example: string | undefined;
}

/** Says what is wrong with the command line, what may have been meant, and where the help is. */
export function explainMisuse(command: MisusedCommand, error: CommanderError): CommandError {
  const help = `Help: ${command.path} --help`;
  const example = command.example ? [`Example: ${command.example}`] : [];

  // commander reports a required option as missing before it reports the mistyped option.
  const strayOption = command.args.find(word => word.startsWith('-') && word !== '-');
  if (
    strayOption &&
    ['commander.unknownOption', 'commander.missingMandatoryOptionValue'].includes(error.code)
  ) {
    return usageError(
      `${command.path} has no option ${flagOf(strayOption)}.`,
      ...meantOption(command, strayOption),
      help,
    );
  }
  switch (error.code) {
    case 'commander.unknownCommand':
      return usageError(
        `There is no command "${command.path} ${command.args[0]}".`,
        ...meantCommand(command),
        help,
      );
    case 'commander.missingArgument': {
      const missing = command.registeredArguments[command.args.length];
      return usageError(
        `${command.path} needs <${missing?.name()}>: ${missing?.description}.`,
        ...example,
        help,
      );
    }
    case 'commander.missingMandatoryOptionValue':
      return usageError(`${command.path} needs ${quotedFlags(error)}.`, ...example, help);
    case 'commander.optionMissingArgument':
      return usageError(`${quotedFlags(error)} needs a value.`, ...example, help);
    case 'commander.excessArguments': {
      const [excess] = command.args.slice(command.registeredArguments.length);
      const message = `${command.path} has no argument for "${excess}".`;
      return usageError(
        message,
        'A value with spaces needs quotes, such as --name "Acme Corp".',
        ...example,
        help,
      );
    }
    default:
      return usageError(sentence(error.message), help);
  }
}

function meantCommand(command: MisusedCommand): string[] {
  const meant = nearestCommand(command.args, pathsBelow(command));
  if (meant) return [`Did you mean: ${command.path} ${meant}?`];
  return [`The commands are: ${command.commands.map(child => child.name()).join(', ')}.`];
}

function pathsBelow(command: Command): string[] {
  return command.commands.flatMap(child => [
    child.name(),
    ...pathsBelow(child).map(path => `${child.name()} ${path}`),
  ]);
}

function meantOption(command: Command, typed: string): string[] {
  const known: string[] = ['help'];
  for (let at: Command | null = command; at; at = at.parent) {
    known.push(...at.options.flatMap(({ long }) => (long ? [long.slice('--'.length)] : [])));
  }
  const meant = nearest(flagOf(typed).replace(/^-+/, ''), known);
  return meant ? [`Did you mean: --${meant}?`] : [];
}

/** Without the value of `--name=value`, which may be a secret. */
const flagOf = (word: string) => word.split('=')[0] ?? word;

/** The option as it was declared, such as '--name <name>', which commander's message has in quotes. */
function quotedFlags(error: CommanderError): string {
  return /'([^']+)'/.exec(error.message)?.[1] ?? sentence(error.message);
}

function sentence(message: string): string {
  const text = message.replace(/^error: /, '').replace(/\.?$/, '.');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
