import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import type { ChangeName, InputOf, ReadName, ResultOf } from '../../../shared/operator/contract.ts';
import { operatorFunctionOf } from '../../settings/environment-name.ts';
import { PROGRAM_NAME, usageError } from './command-error.ts';
import type { GlobalOptions } from './global-options.ts';
import { connectOperator, NOTICEABLE_MS, type Operator, type Outcome } from './invoke-operator.ts';
import { prose, type Style, safeJson, safeOutput, styleOf } from './style.ts';
import { type Target, targetOf } from './target.ts';
import { ask, confirm, confirmByName } from './terminal.ts';

/** The input may be left out where every field of it may. */
type ReadArguments<Name extends ReadName> =
  Pick<InputOf<Name>, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, signal?: AbortSignal]
    : [input: InputOf<Name>, signal?: AbortSignal];

export interface ChangeOptions {
  readonly isConfirmed?: boolean;
  readonly warnings?: string[];
}

/** One run of a command: invokes the operator function of its environment and prints the result. */
export class Session {
  readonly target: Target;
  readonly #options: GlobalOptions;
  #operator: Promise<Operator> | undefined;
  readonly #warnings: string[] = [];
  #versionNote: string | undefined;

  /** Invokes another function than the operator's if one is given. */
  constructor(command: Command, functionOf = operatorFunctionOf) {
    this.#options = command.optsWithGlobals<GlobalOptions>();
    const target = targetOf(this.#options);
    this.target = { ...target, functionName: functionOf(target.stage) };
  }

  /** The result of a command that only reads. */
  async read<Name extends ReadName>(
    command: Name,
    ...[input, signal]: ReadArguments<Name>
  ): Promise<ResultOf<Name>> {
    const operator = await this.#connect();
    return this.#noted(await operator.invoke(command, { ...input }, signal)).result;
  }

  /**
   * The result of a command that changes something. Asks first in production, with a summary such as "revoke key_1". All
   * deliveries of the request share one request id, so that the change is made once. Warnings are printed, and kept for
   * the result that is shown, or in the given list.
   */
  async change<Name extends ChangeName>(
    command: Name,
    input: InputOf<Name>,
    summary: string,
    { isConfirmed = false, warnings: kept = this.#warnings }: ChangeOptions = {},
  ): Promise<ResultOf<Name>> {
    const operator = await this.#connect();
    if (!isConfirmed) await this.confirmInProduction(summary);
    const outcome = await operator.invoke(command, { requestId: randomUUID(), ...input });
    const { result, warnings } = this.#noted(outcome);
    kept.push(...warnings);
    for (const warning of warnings) this.progress(`Warning: ${warning}`);
    return result;
  }

  async confirmInProduction(summary: string): Promise<void> {
    if (this.target.stage !== 'production') return;
    await this.#connect();
    await this.confirm(`This changes ${this.environment}: ${summary}.`);
  }

  /** Asks for the name of the environment, unless it was given with --confirm. */
  async confirmByName(what: string, given: string | undefined): Promise<void> {
    const { stage } = this.target;
    if (given === undefined) await confirmByName(what, stage);
    else if (given !== stage) throw usageError(`--confirm is "${given}", and the environment is "${stage}".`);
  }

  /** Asks for confirmation, unless --yes was given. */
  async confirm(what: string): Promise<void> {
    if (!this.#options.yes) await confirm(what);
  }

  /** Asks for yes or no; undefined if nobody can say: with --yes, or without a terminal. */
  async ask(text: string): Promise<boolean | undefined> {
    return this.#options.yes ? undefined : ask(text);
  }

  /** Prints a result: with --json as it is, with the warnings if there are any, otherwise as the sentence or text. */
  show(result: object, text: string | ((style: Style) => string)): void {
    const complete = this.#warnings.length > 0 ? { ...result, warnings: this.#warnings } : result;
    const style = this.styleOf(process.stdout);
    const readable = () => (typeof text === 'string' ? prose(text, style) : text(style));
    process.stdout.write(`${this.wantsJson ? safeJson(complete, 2) : safeOutput(readable())}\n`);
  }

  /** Prints a further sentence to standard output, unless --json was given. */
  say(sentence: string): void {
    if (this.wantsJson) return;
    process.stdout.write(`\n${safeOutput(prose(sentence, this.styleOf(process.stdout)))}\n`);
  }

  /** Prints a sentence about the progress to standard error, unless --json was given. */
  progress(sentence: string, indent = ''): void {
    if (this.wantsJson) return;
    process.stderr.write(`${safeOutput(prose(sentence, this.styleOf(process.stderr), indent))}\n`);
  }

  /** The result of work. Says what it is if it takes noticeably long. */
  async saying<Result>(sentence: string, work: Promise<Result>): Promise<Result> {
    const timer = setTimeout(() => this.progress(sentence), NOTICEABLE_MS);
    return work.finally(() => clearTimeout(timer));
  }

  /** Sets the exit code of a command that has not failed. */
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
  get environment(): string {
    return this.target.isLocal ? `${this.target.stage} on this machine` : this.target.stage;
  }

  /** A command line to paste, with the options that select the same environment. */
  commandLine(words: string): string {
    const { stage, local, region, profile } = this.#options;
    return [
      PROGRAM_NAME,
      words,
      ...(local ? ['--local'] : []),
      ...(stage === 'staging' ? [] : [`--stage ${stage}`]),
      ...(region ? [`--region ${region}`] : []),
      ...(profile ? [`--profile ${profile}`] : []),
    ].join(' ');
  }

  /** Says once that the environment runs another version. */
  #noted<Result>(outcome: Outcome<Result>): Outcome<Result> {
    const { versionNote } = outcome;
    if (versionNote !== undefined && versionNote !== this.#versionNote) this.progress(`Note: ${versionNote}`);
    this.#versionNote = versionNote;
    return outcome;
  }

  /** Connects once for all requests of this run. An idle connection does not keep the process alive. */
  #connect(): Promise<Operator> {
    this.#operator ??= connectOperator(this.target, () =>
      this.progress('Waiting for the service to respond …'),
    );
    return this.#operator;
  }
}
