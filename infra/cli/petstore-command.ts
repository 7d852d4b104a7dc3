import { Command, CommanderError, type Help } from 'commander';
import { explainMisuse } from './explain-misuse.ts';
import { PetstoreHelp } from './petstore-help.ts';

/** commander's ways to say that there is nothing left to do: the help or the version was printed. */
const DONE = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** A command with examples, the first of which is shown when it is called in a wrong way. */
export class PetstoreCommand extends Command {
  #examples: readonly string[] = [];

  override createCommand(name?: string): PetstoreCommand {
    return new PetstoreCommand(name);
  }

  override copyInheritedSettings(source: Command): this {
    super.copyInheritedSettings(source);
    return this.explainsMisuse();
  }

  /** Throws a CommandError in the place of commander's own message and exit. */
  explainsMisuse(): this {
    return this.exitOverride(error => {
      throw DONE.includes(error.code) ? error : explainMisuse(this, error);
    });
  }

  /** The words that lead here, such as `petstore keys list`. */
  get path(): string {
    return this.parent instanceof PetstoreCommand ? `${this.parent.path} ${this.name()}` : this.name();
  }

  get example(): string | undefined {
    return this.#examples[0];
  }

  /** Lines such as `keys list --json`, without the name of the program. */
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
