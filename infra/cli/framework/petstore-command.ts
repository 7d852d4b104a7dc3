import { type Argument, Command, CommanderError, Help, type Option } from 'commander';
import { type CommandError, usageError } from './command-error.ts';

/** The codes with which commander ends after it has printed the help or the version. */
const DONE = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** A command with examples. An error about the command line shows the first of them. */
export class PetstoreCommand extends Command {
  #examples: readonly string[] = [];

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
      throw DONE.includes(error.code) ? error : explainMisuse(this, error);
    });
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
    let program: Command = this;
    while (program.parent) program = program.parent;
    this.#examples = lines.map(line => `${program.name()} ${line}`);
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

/** The help of a command: usage, description, commands, arguments, options, examples. */
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
function explainMisuse(command: PetstoreCommand, error: CommanderError): CommandError {
  const { path, args } = command;
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  // commander suggests names that are close to the one typed: "(Did you mean list?)", "(Did you mean one of list, ls?)".
  const [, meant] = /^\(Did you mean (?:one of )?([^,]+?)(?:, .+)?\?\)$/.exec(suggestion ?? '') ?? [];
  const example = command.example ? [`Example: ${command.example}`] : [];
  const usage = (what: string, ...advice: string[]) => usageError(what, ...advice, `Help: ${path} --help`);
  // The option as it was declared, such as '--name <name>', which commander's message has in quotes.
  const [, flags = ''] = /'([^']+)'/.exec(message) ?? [];

  switch (error.code) {
    case 'commander.unknownCommand':
      return usage(
        `Unknown command "${path} ${args[0]}".`,
        meant ? `Did you mean: ${path} ${meant}?` : `The commands are: ${visibleNames(command)}.`,
      );
    case 'commander.unknownOption':
      return usage(
        // Without the value of `--name=value`, which may be a secret.
        `${path} has no option ${flags.split('=')[0]}.`,
        ...(meant ? [`Did you mean: ${meant}?`] : []),
      );
    case 'commander.missingArgument': {
      const missing = command.registeredArguments[args.length];
      return usage(`${path} needs <${missing?.name()}>: ${missing?.description}.`, ...example);
    }
    case 'commander.missingMandatoryOptionValue': {
      // commander reports this before an option that it doesn't know, which may be the missing one mistyped.
      const [stray] = args.filter(word => word.startsWith('-') && word !== '-');
      return stray
        ? usage(`${path} has no option ${stray.split('=')[0]}. It needs ${flags}.`, ...example)
        : usage(`${path} needs ${flags}.`, ...example);
    }
    case 'commander.optionMissingArgument':
      return usage(`${flags} needs a value.`, ...example);
    case 'commander.excessArguments': {
      const [excess] = args.slice(command.registeredArguments.length);
      return usage(
        `${path} doesn't take "${excess}".`,
        'A value with spaces needs quotes, such as --name "Acme Corp".',
        ...example,
      );
    }
    case 'commander.invalidArgument': {
      // Such as "option '--plan <plan>' argument 'gold' is invalid. Allowed choices are free, pro.".
      const [, given, choices] = /'([^']*)' is invalid.* Allowed choices are (.+)\.$/.exec(message) ?? [];
      const [, argument = ''] = /for argument '([^']+)'/.exec(message) ?? [];
      const what = argument ? `<${argument}>` : flags.split(' ')[0];
      if (choices) return usage(`${what} must be one of ${choices}, not "${given}".`);
      return usage(sentenceOf(message));
    }
    default:
      return usage(sentenceOf(message));
  }
}

function sentenceOf(message: string): string {
  const sentence = message.replace(/\.?$/, '.');
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}`;
}

function visibleNames(command: Command): string {
  const visible = command.createHelp().visibleCommands(command);
  return visible.map(child => child.name()).join(', ');
}
