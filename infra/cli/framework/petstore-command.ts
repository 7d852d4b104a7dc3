import { Command, CommanderError, type Help } from 'commander';
import { explainMisuse } from './explain-misuse.ts';
import { PetstoreHelp } from './petstore-help.ts';

/** The codes with which commander ends after it has printed the help or the version. */
const DONE = ['commander.help', 'commander.helpDisplayed', 'commander.version'];

/** A command with examples. The first example is part of the error message when the command line is wrong. */
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
