import { Argument, Command, CommanderError, Help, Option, type ParseOptions } from 'commander';
import { type CommandError, usageError } from '../../operator/connection/command-error.ts';
import { nearest } from '../../tools/nearest.ts';

/** The codes with which commander ends after it has printed the help or the version. */
const DONE = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** A command with examples. An error about the command line shows the first of them. */
export class PetstoreCommand extends Command {
  #examples: readonly string[] = [];
  #words: readonly string[] = [];

  override createCommand(name?: string): PetstoreCommand {
    return new PetstoreCommand(name);
  }

  override copyInheritedSettings(source: Command): this {
    super.copyInheritedSettings(source);
    return this.explainsMisuse();
  }

  /** Throws a CommandError instead of commander's own message and exit. */
  explainsMisuse(): this {
    return this.exitOverride(error => {
      throw DONE.includes(error.code) ? error : explainMisuse(this, error, this.words.at(-1) ?? '');
    });
  }

  override parseAsync(words: readonly string[], options?: ParseOptions): Promise<this> {
    this.#words = words;
    return super.parseAsync(words, options);
  }

  /** What follows the name of the program on the command line. */
  get words(): readonly string[] {
    return this.#program.#words;
  }

  choiceOption(flags: string, description: string, choices: readonly (string | number)[]): this {
    const option = new Option(flags, description).choices(choices.map(String));
    return this.addOption(option.argParser(value => this.#oneOf(choices, value, option.long ?? flags)));
  }

  choiceArgument(name: string, choices: readonly string[]): this {
    const argument = new Argument(name, choices.join(', ')).choices(choices);
    return this.addArgument(argument.argParser(value => this.#oneOf(choices, value, name)));
  }

  #oneOf(choices: readonly (string | number)[], value: string, what: string): string | number {
    const choice = choices.find(known => String(known) === value);
    if (choice !== undefined) return choice;
    throw this.misuse(`${what} must be one of ${choices.join(', ')}, not "${value}".`);
  }

  /** An error about the command line, with the way to the help. */
  misuse(what: string, ...advice: readonly string[]): CommandError {
    return usageError(what, ...advice, `Help: ${this.path} --help`);
  }

  get #program(): PetstoreCommand {
    return this.parent instanceof PetstoreCommand ? this.parent.#program : this;
  }

  /** The name with the names of the parents, such as `petstore keys list`. */
  get path(): string {
    return this.parent instanceof PetstoreCommand ? `${this.parent.path} ${this.name()}` : this.name();
  }

  get example(): string | undefined {
    return this.#examples[0];
  }

  /** Takes lines such as `keys list --json`, without the name of the program. */
  examples(...lines: string[]): this {
    this.#examples = lines.map(line => `${this.#program.name()} ${line}`);
    return this;
  }

  override createHelp(): Help {
    return Object.assign(new PetstoreHelp(this.#examples), this.configureHelp());
  }
}

/** Whether commander ended the command after printing help or the version, and with which exit code. */
export function isHelpOrVersion(error: unknown): error is CommanderError {
  return error instanceof CommanderError && DONE.includes(error.code);
}

class PetstoreHelp extends Help {
  override readonly showGlobalOptions = true;
  readonly #examples: readonly string[];

  constructor(examples: readonly string[]) {
    super();
    this.#examples = examples;
  }

  override commandUsage(command: Command): string {
    const path = command.parent ? this.commandUsage(command.parent).split(' <')[0] : '';
    const own = command.parent ? this.subcommandTerm(command) : command.name();
    const subcommand = command.commands.length > 0 ? '<command> ' : '';
    return `${path} ${own} ${subcommand}[options]`.trimStart();
  }

  /** Leaves out "[options]", because every command has options. */
  override subcommandTerm(command: Command): string {
    return [command.name(), ...command.registeredArguments.map(argumentTerm)].join(' ');
  }

  /** Hides the command `help`, which does the same as --help. */
  override visibleCommands(command: Command): Command[] {
    return super.visibleCommands(command).filter(child => child.name() !== 'help');
  }

  override visibleGlobalOptions(command: Command): Option[] {
    return super.visibleGlobalOptions(command).filter(({ long }) => long !== '--version');
  }

  /** Without choices and defaults in brackets: the descriptions name them. */
  override optionDescription({ description }: Option): string {
    return description;
  }

  override argumentDescription({ description }: Argument): string {
    return description;
  }

  override formatHelp(command: Command, helper: Help): string {
    const termWidth = helper.padWidth(command, helper);
    const item = (term: string, description: string) =>
      helper.formatItem(term, termWidth, description, helper);
    const option = (each: Option) => item(helper.optionTerm(each), helper.optionDescription(each));
    const section = (title: string, lines: readonly string[]) =>
      lines.length > 0 ? [[helper.styleTitle(title), ...lines].join('\n')] : [];

    const commands = helper
      .visibleCommands(command)
      .map(child => item(helper.subcommandTerm(child), helper.subcommandDescription(child)));
    const commandArguments = helper
      .visibleArguments(command)
      .map(argument => item(argumentTerm(argument), helper.argumentDescription(argument)));
    return [
      `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
      helper.boxWrap(helper.commandDescription(command), helper.helpWidth ?? 80),
      ...(command.aliases().length > 0 ? [`Also: ${command.aliases().join(', ')}`] : []),
      ...section('Commands:', commands),
      ...section('Arguments:', commandArguments),
      ...section('Options:', helper.visibleOptions(command).map(option)),
      ...section('Global options:', helper.visibleGlobalOptions(command).map(option)),
      ...section(
        'Examples:',
        this.#examples.map(line => `  ${line}`),
      ),
      ...(commands.length > 0 ? ['Run any command with --help for details.'] : []),
      '',
    ]
      .join('\n\n')
      .replace(/\n\n$/, '\n');
  }
}

/** Such as `<name>`, `<value...>`, or `[zone]` for an optional one. */
function argumentTerm(argument: Argument): string {
  const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** Says what is wrong with the command line, what may have been meant, and where the help is. */
function explainMisuse(command: PetstoreCommand, error: CommanderError, lastWord: string): CommandError {
  const { path, args } = command;
  const lineage = withParents(command);
  const options = lineage.flatMap(each => [...each.options]);
  const example = command.example ? [`Example: ${command.example}`] : [];
  // Without the value of `--name=value`, which may be a secret.
  const [unknown = ''] = args.find(word => word.startsWith('-') && word !== '-')?.split('=') ?? [];

  switch (error.code) {
    case 'commander.unknownCommand': {
      const [typed = ''] = args;
      const names = visibleCommands(command).flatMap(child => [child.name(), ...child.aliases().slice(0, 1)]);
      const meant = nearest(typed, names);
      return command.misuse(
        `Unknown command "${path} ${typed}".`,
        meant ? `Did you mean: ${path} ${meant}?` : `The commands are: ${visibleNames(command)}.`,
      );
    }
    case 'commander.unknownOption': {
      const meant = nearest(
        unknown,
        options.flatMap(({ long, hidden }) => (long && !hidden ? [long] : [])),
      );
      return command.misuse(
        `${path} has no option ${unknown}.`,
        ...(meant ? [`Did you mean: ${meant}?`] : []),
      );
    }
    case 'commander.missingArgument': {
      const missing = command.registeredArguments[args.length];
      return command.misuse(`${path} needs <${missing?.name()}>: ${missing?.description}.`, ...example);
    }
    case 'commander.missingMandatoryOptionValue': {
      const missing = command.options.find(
        option => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
      );
      // commander reports this before an option that it doesn't know, which may be the missing one mistyped.
      const what = unknown ? `${path} has no option ${unknown}. It` : path;
      return command.misuse(`${what} needs ${missing?.flags}.`, ...example);
    }
    case 'commander.optionMissingArgument': {
      const option = options.find(({ long, short }) => lastWord === long || lastWord === short);
      return command.misuse(`${option?.flags ?? lastWord} needs a value.`, ...example);
    }
    case 'commander.excessArguments': {
      const [excess] = args.slice(command.registeredArguments.length);
      return command.misuse(
        `${path} doesn't take "${excess}".`,
        'A value with spaces needs quotes, such as --name "Acme Corp".',
        ...example,
      );
    }
    default: {
      // Such as "error: option '--local' cannot be used with option '--region <region>'".
      const text = error.message.slice('error: '.length);
      return command.misuse(`${text.charAt(0).toUpperCase()}${text.slice(1)}.`);
    }
  }
}

function withParents(command: Command): readonly Command[] {
  return [command, ...(command.parent ? withParents(command.parent) : [])];
}

function visibleCommands(command: Command): readonly Command[] {
  return command.createHelp().visibleCommands(command);
}

function visibleNames(command: Command): string {
  return visibleCommands(command)
    .map(child => child.name())
    .join(', ');
}
