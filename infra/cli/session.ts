import { randomUUID } from 'node:crypto';
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { confirm } from './confirm.ts';
import type { GlobalOptions } from './global-options.ts';
import { connectOperator, type Operator } from './invoke-operator.ts';
import { PROGRAM_NAME } from './program-name.ts';
import { type Style, styleOf } from './style.ts';
import { type Target, targetOf } from './target.ts';

/** One run of a command: what it asks of the operator function of its environment, and how it shows the answer. */
export class Session {
  readonly target: Target;
  readonly #options: GlobalOptions;

  constructor(command: Command) {
    this.#options = command.optsWithGlobals<GlobalOptions>();
    this.target = targetOf(this.#options);
  }

  /** The result of a command that only reads. */
  read<Result>(command: string, fields: object = {}): Promise<Result> {
    return this.#connected(operator => operator.invoke({ command, ...fields }) as Promise<Result>);
  }

  /**
   * The result of a command that changes something, asked for with words such as "revoke key_1". The request has an
   * id of its own, which all deliveries of it share, and the name of who asks.
   */
  change<Result>(command: string, fields: object, words: string): Promise<Result> {
    return this.#connected(async operator => {
      if (this.target.stage === 'production' && !this.#options.yes) {
        await confirm(`This changes ${this.place}: ${words}.`);
      }
      const by = this.target.isLocal ? localUser() : await operator.callerArn();
      const request = { command, requestId: randomUUID(), ...(by && { by }), ...fields };
      return operator.invoke(request) as Promise<Result>;
    });
  }

  /** Prints a result: as it is for programs, as the text for people. */
  show(result: unknown, text: (style: Style) => string): void {
    const { json, color } = this.#options;
    const shown = json ? JSON.stringify(result, null, 2) : text(styleOf(process.stdout, color));
    process.stdout.write(`${shown}\n`);
  }

  /** Such as "production" or "staging on this machine". */
  get place(): string {
    return this.target.isLocal ? `${this.target.stage} on this machine` : this.target.stage;
  }

  /** A command line to paste that works on the same environment. */
  commandLine(words: string): string {
    const { stage, local, region, profile } = this.#options;
    return [
      PROGRAM_NAME,
      words,
      ...(local ? ['--local'] : []),
      ...(stage === 'production' ? ['--stage production'] : []),
      ...(region ? [`--region ${region}`] : []),
      ...(profile ? [`--profile ${profile}`] : []),
    ].join(' ');
  }

  async #connected<Result>(work: (operator: Operator) => Promise<Result>): Promise<Result> {
    const operator = await connectOperator(this.target);
    try {
      return await work(operator);
    } finally {
      operator.close();
    }
  }
}

/** There may be no name for the user's number, as in a container. */
function localUser(): string {
  try {
    return `local:${userInfo().username}`;
  } catch {
    return 'local';
  }
}
