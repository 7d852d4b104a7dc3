import type { Argument, Command, Option } from 'commander';
import { type KnownValues, valuesOf } from '../known-values.ts';

/** A command as shells complete it: what it has, as it is declared and as the help shows it. */
export interface CompletedCommand {
  /** The words after the name of the program, such as `keys list`; empty for the program itself. */
  readonly path: string;
  /** Its name and its aliases. */
  readonly names: readonly [string, ...string[]];
  readonly summary: string;
  readonly commands: readonly CompletedCommand[];
  /** Without the options of every command. */
  readonly options: readonly CompletedOption[];
  readonly arguments: readonly KnownValues[];
}

export interface CompletedOption extends KnownValues {
  /** Such as `--yes`. */
  readonly long: string;
  /** Such as `-y`. */
  readonly short: string | undefined;
  readonly takesValue: boolean;
  readonly description: string;
}

export interface CompletedProgram {
  /** The program itself and all commands below it. */
  readonly commands: readonly CompletedCommand[];
  /** Options of every command. */
  readonly globalOptions: readonly CompletedOption[];
}

export function completedProgram(program: Command): CompletedProgram {
  const [anyCommand = program] = program.commands;
  const globalOptions = anyCommand.createHelp().visibleGlobalOptions(anyCommand).map(completedOption);
  const globals = new Set(globalOptions.map(({ long }) => long));
  return { commands: withAllBelow(completedCommand(program, '', globals)), globalOptions };
}

function completedCommand(command: Command, path: string, globals: ReadonlySet<string>): CompletedCommand {
  const help = command.createHelp();
  return {
    path,
    names: [command.name(), ...command.aliases()],
    summary: command.summary(),
    commands: help
      .visibleCommands(command)
      .map(child => completedCommand(child, `${path} ${child.name()}`.trimStart(), globals)),
    options: help
      .visibleOptions(command)
      .map(completedOption)
      .filter(({ long }) => !globals.has(long)),
    arguments: command.registeredArguments.map(knownValues),
  };
}

function completedOption(option: Option): CompletedOption {
  const { long, short, required, optional, description } = option;
  if (!long) throw new Error(`The option ${short} has no long form, which is the one that is completed.`);
  return { long, short, takesValue: required || optional, description, ...knownValues(option) };
}

function knownValues({ argChoices, parseArg }: Option | Argument): KnownValues {
  return argChoices ? { values: argChoices, isList: false } : valuesOf(parseArg);
}

function withAllBelow(command: CompletedCommand): CompletedCommand[] {
  return [command, ...command.commands.flatMap(withAllBelow)];
}
