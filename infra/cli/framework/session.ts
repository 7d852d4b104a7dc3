import { createHash } from 'node:crypto';
import {
  type ChangeName,
  COMMANDS,
  type CommandName,
  newRequestId,
  type ReadName,
  type ResultOf,
} from '../../../shared/operator/contract.ts';
import type { InputOf } from '../../../shared/operator/inputs.ts';
import { CommandError, PROGRAM_NAME, usageError } from '../../operator/connection/command-error.ts';
import {
  connectOperator,
  NOTICEABLE_MS,
  type Operator,
  type Outcome,
} from '../../operator/connection/invoke-operator.ts';
import { type Target, targetOf } from '../../operator/connection/target.ts';
import { operatorFunctionOf } from '../../settings/environment-name.ts';
import type { GlobalOptions } from './global-options.ts';
import type { PetstoreCommand } from './petstore-command.ts';
import { forgetSeed, keepSeed, printableId, withKeptSeed } from './request-seed.ts';
import { prose, type Style, safeJson, safeOutput, styleOf } from './style.ts';
import { ask, confirm, confirmByName, interruptible } from './terminal.ts';

/** The input may be left out where every field of it may. */
type ReadArguments<Name extends ReadName> =
  Pick<InputOf<Name>, never> extends InputOf<Name>
    ? [input?: InputOf<Name>, signal?: AbortSignal]
    : [input: InputOf<Name>, signal?: AbortSignal];

export interface ChangeOptions {
  readonly isConfirmed?: boolean;
  readonly warnings?: string[];
  /**
   * Which of the changes of this command line it is. They share one request id, with which the line may be repeated; a
   * change that was confirmed with others and has no part can't be repeated by itself.
   */
  readonly part?: string | undefined;
  /** Options whose value depends on the time, with the value that a repeated command line has. */
  readonly fixed?: Readonly<Record<string, string | undefined>>;
  /** Ends the wait for the response. Whoever gives it says how to go on. */
  readonly signal?: AbortSignal;
}

/** One run of a command: invokes the operator function of its environment and prints the result. */
export class Session {
  readonly target: Target;
  readonly #options: GlobalOptions;
  readonly #words: readonly string[];
  #requestId: string | undefined;
  #operator: Promise<Operator> | undefined;
  readonly #warnings: string[] = [];
  #versionNote: string | undefined;

  /** Invokes another function than the operator's if one is given. */
  constructor(command: PetstoreCommand, functionOf = operatorFunctionOf) {
    this.#options = command.optsWithGlobals<GlobalOptions>();
    this.#words = command.words;
    this.#requestId = this.#options.requestId && withKeptSeed(this.#options.requestId);
    const target = targetOf(this.#options);
    this.target = { ...target, functionName: functionOf(target.stage) };
  }

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
   * the result that is shown, or in the given list. If nobody knows whether it was made, the error says how to go on.
   */
  async change<Name extends ChangeName>(
    command: Name,
    input: InputOf<Name>,
    summary: string,
    options: ChangeOptions = {},
  ): Promise<ResultOf<Name>> {
    const {
      isConfirmed = false,
      warnings: kept = this.#warnings,
      part = isConfirmed ? undefined : '',
    } = options;
    const operator = await this.#connect();
    if (!isConfirmed) await this.confirmInProduction(summary);
    const requestId = this.#requestIdOf(command, part);
    const invoke = (signal = options.signal) => operator.invoke(command, { requestId, ...input }, signal);
    // Whoever makes several changes handles Ctrl-C for all of them.
    const sent = process.listenerCount('SIGINT') > 0 ? invoke() : interruptible(invoke, 'Interrupted.');
    const outcome = await sent.catch((error: unknown) => {
      const isInterrupted = error instanceof CommandError && error.code === 'interrupted';
      const isOpen = error instanceof CommandError && (isInterrupted || error.openRequestId !== undefined);
      if (!isOpen) forgetSeed(requestId);
      if (!isOpen || options.signal) throw error;
      if (part !== undefined) keepSeed(requestId);
      throw error
        .opened(printableId(requestId))
        .withAdvice(
          `The change may or may not have been made. See: ${this.commandLine('audit')}`,
          ...(part === undefined
            ? []
            : [
                `Run it again with its request id, and it won't be made twice: ${this.#repeatedLine(options.fixed)}`,
              ]),
        );
    });
    forgetSeed(requestId);
    const { result, warnings } = this.#noted(outcome);
    kept.push(...warnings);
    for (const warning of warnings) this.progress(`Warning: ${warning}`);
    return result;
  }

  /** The result of a command, whether it reads or changes something. */
  carryOut<Name extends CommandName>(
    command: Name,
    input: InputOf<Name>,
    summary: string,
  ): Promise<ResultOf<Name>> {
    const sent: Promise<unknown> =
      COMMANDS[command].kind === 'read'
        ? this.read(command as ReadName, input as never)
        : this.change(command as ChangeName, input as never, summary);
    return sent as Promise<ResultOf<Name>>;
  }

  /** The id of a change: that of this command line, one that follows from it, or one of its own. */
  #requestIdOf(command: ChangeName, part: string | undefined): string {
    if (part === undefined) return newRequestId(command);
    this.#requestId ??= newRequestId(command);
    if (part === '') return this.#requestId;
    const hash = createHash('sha256').update(`${this.#requestId} ${part}`).digest('hex');
    return hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, '$1-$2-$3-$4-$5');
  }

  /** The option with which a command line doesn't change again what this one has changed. */
  get requestIdOption(): string {
    return this.#requestId ? `--request-id ${this.#requestId}` : '';
  }

  #repeatedLine(fixed: ChangeOptions['fixed'] = {}): string {
    const id = this.#requestId && printableId(this.#requestId);
    const options = Object.entries({ ...fixed, '--request-id': id }).filter(([, value]) => value);
    const isReplaced = (word: string) =>
      options.some(([name]) => word === name || word.startsWith(`${name}=`));
    const kept = this.#words.filter(
      (word, index, words) => !isReplaced(word) && !options.some(([name]) => words[index - 1] === name),
    );
    return [PROGRAM_NAME, ...[...kept, ...options.flat()].map(word => shellWord(String(word)))].join(' ');
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

function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
