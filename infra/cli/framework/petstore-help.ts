import { type Argument, type Command, Help, type Option } from 'commander';

/** The help of a command: usage, description, commands, arguments, options, examples. */
export class PetstoreHelp extends Help {
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
      ...section('Options of every command:', helper.visibleGlobalOptions(command).map(option)),
      ...section(
        'Examples:',
        this.#examples.map(line => `  ${line}`),
      ),
      ...(commands.length > 0 ? ['Every command has its own --help.'] : []),
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
