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
  #operator: Promise<Operator> | undefined;

  constructor(command: Command) {
    this.#options = command.optsWithGlobals<GlobalOptions>();
    this.target = targetOf(this.#options);
  }

  /** The result of a command that only reads. */
  async read<Result>(command: string, fields: object = {}, signal?: AbortSignal): Promise<Result> {
    const operator = await this.#connected();
    return operator.invoke({ command, ...fields }, signal) as Promise<Result>;
  }

  /**
   * The result of a command that changes something, asked for with words such as "revoke key_1". The request has an
   * id of its own, which all deliveries of it share, and the name of who asks.
   */
  async change<Result>(
    command: string,
    fields: object,
    words: string,
    { isConfirmed = false }: { isConfirmed?: boolean } = {},
  ): Promise<Result> {
    const operator = await this.#connected();
    if (this.target.stage === 'production' && !isConfirmed) {
      await this.confirm(`This changes ${this.place}: ${words}.`);
    }
    const by = this.target.isLocal ? localUser() : await operator.callerArn();
    const request = { command, requestId: randomUUID(), ...(by && { by }), ...fields };
    return operator.invoke(request) as Promise<Result>;
  }

  /** Asks whether to go on, unless --yes has answered that. */
  async confirm(what: string): Promise<void> {
    if (!this.#options.yes) await confirm(what);
  }

  /** Prints a result: as it is for programs, as the text for people. */
  show(result: unknown, text: (style: Style) => string): void {
    const shown = this.wantsJson ? JSON.stringify(result, null, 2) : text(this.styleOf(process.stdout));
    process.stdout.write(`${shown}\n`);
  }

  /** Says something on the way to the result. Programs want only the result. */
  note(line: string): void {
    if (!this.wantsJson) process.stderr.write(`${line}\n`);
  }

  /** Ends the command with this code once it has said everything. */
  endWith(exitCode: number): void {
    process.exitCode = exitCode;
  }

  get wantsJson(): boolean {
    return Boolean(this.#options.json);
  }

  styleOf(stream: NodeJS.WriteStream): Style {
    return styleOf(stream, this.#options.color);
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

  /** Once for all requests of this run; a connection that is left idle does not keep the process alive. */
  #connected(): Promise<Operator> {
    this.#operator ??= connectOperator(this.target);
    return this.#operator;
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
