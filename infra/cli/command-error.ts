export const EXIT_CODES = {
  done: 0,
  error: 1,
  usage: 2,
  /** What was asked for waits for the person. */
  actionNeeded: 3,
  /** What was asked for waits for something else. */
  pending: 4,
  interrupted: 130,
} as const;

export interface CommandErrorOptions {
  /** What to do next, a line each. */
  readonly advice?: readonly string[];
  readonly exitCode?: number;
}

/** Why a command did not do what it was asked, in words for the person who asked. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: string;
  readonly advice: readonly string[];
  readonly exitCode: number;

  constructor(
    code: string,
    message: string,
    { advice = [], exitCode = EXIT_CODES.error }: CommandErrorOptions = {},
  ) {
    super(message);
    this.code = code;
    this.advice = advice;
    this.exitCode = exitCode;
  }
}

/** The command was not called as it has to be. */
export function usageError(message: string, ...advice: string[]): CommandError {
  return new CommandError('usage', message, { advice, exitCode: EXIT_CODES.usage });
}
