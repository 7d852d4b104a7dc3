import type { Reason } from '../../../shared/operator/contract.ts';

export const EXIT_CODES = {
  done: 0,
  error: 1,
  usage: 2,
  /** The domain waits for its owner. */
  actionNeeded: 3,
  /** The domain waits for DNS, for its certificate or for this service. */
  pending: 4,
  interrupted: 130,
} as const;

interface CommandErrorOptions {
  /** Why the operator function refused; absent for every other error. */
  readonly reason?: Reason | undefined;
  /** What to do next, a line each. */
  readonly advice?: readonly string[];
  readonly exitCode?: number;
  /** The request id of a change that may have been made. Sent again with it, the change is made once. */
  readonly openRequestId?: string | undefined;
}

/** Why a command wasn't carried out, for the person who typed it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly reason: Reason | undefined;
  readonly advice: readonly string[];
  readonly exitCode: number;
  readonly openRequestId: string | undefined;

  constructor(
    code: string,
    message: string,
    { reason, advice = [], exitCode = EXIT_CODES.error, openRequestId }: CommandErrorOptions = {},
  ) {
    super(message);
    this.code = code;
    this.reason = reason;
    this.advice = advice;
    this.exitCode = exitCode;
    this.openRequestId = openRequestId;
  }

  get text(): string {
    return inOneText([this.message, ...this.advice]);
  }

  /** The error as --json prints it, without what is undefined. */
  toJSON(): object {
    const { code, reason, text, openRequestId } = this;
    return { code, reason, message: text, openRequestId };
  }

  withAdvice(...lines: readonly string[]): CommandError {
    return new CommandError(this.code, this.message, { ...this, advice: [...this.advice, ...lines] });
  }

  /** The error of a change that may have been made anyway. */
  opened(openRequestId: string): CommandError {
    return new CommandError(this.code, this.message, { ...this, openRequestId });
  }
}

/** Joins lines. The last may be a command to paste, so it gets no period. */
export function inOneText(lines: readonly string[]): string {
  const ended = lines.slice(0, -1).map(line => (/[.?!:]$/.test(line) ? line : `${line}.`));
  return [...ended, ...lines.slice(-1)].join(' ');
}

const TEMPORARY_CODES = ['network', 'unavailable', 'function_error'];

/** Whether the same request may succeed a moment later. */
export function isTemporary(error: unknown): boolean {
  return error instanceof CommandError && TEMPORARY_CODES.includes(error.code);
}

export function usageError(message: string, ...advice: string[]): CommandError {
  return new CommandError('usage', message, { advice, exitCode: EXIT_CODES.usage });
}

/** What to do about a refusal of the operator function, by its reason. */
export type AdviceByReason = { readonly [Each in Reason]?: string };

/** The result of the work. A refusal is thrown with its advice, if there is any. */
export async function withAdvice<Result>(
  adviceByReason: AdviceByReason,
  work: Promise<Result>,
): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof CommandError) || error.reason === undefined) throw error;
    const advice = adviceByReason[error.reason];
    throw advice === undefined ? error : error.withAdvice(advice);
  }
}

/** How the user called this command, so that suggested command lines can be pasted as they are. */
export const PROGRAM_NAME = process.env.npm_command === 'exec' ? 'npx petstore' : 'petstore';
