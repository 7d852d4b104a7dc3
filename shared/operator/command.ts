import type * as z from 'zod/mini';
import type { Write } from '../aws/transaction.ts';
import type { Reason } from './reason.ts';

/** What a command that changes something is given: the one way to make the change. */
export interface Change {
  /** Makes the writes and the audit record of them in one transaction, or nothing. The result must hold no secret. */
  commit(writes: readonly Write[], result: unknown): Promise<void>;
}

/** Something that operators can ask for. */
export interface Command {
  /** What it takes besides the fields that every command has. */
  readonly accepts: z.ZodMiniObject;
  run(input: never, change: Change): Promise<unknown>;
  /**
   * What follows the change and cannot be part of its transaction. It may be done twice: a request that is delivered
   * again comes here too, since the first time may have ended in between.
   */
  followUp?(input: never): Promise<void>;
}

export function command<Schema extends z.ZodMiniObject>(
  accepts: Schema,
  run: (input: z.output<Schema>, change: Change) => Promise<unknown>,
  followUp?: (input: z.output<Schema>) => Promise<void>,
): Command {
  return { accepts, run, ...(followUp && { followUp }) };
}

export type CommandErrorCode =
  | 'invalid_request'
  | 'not_found'
  | 'conflict'
  | 'unavailable'
  | 'internal_error';

export interface CommandErrorOptions extends ErrorOptions {
  /** Why, for programs: what the petstore command chooses its advice by. */
  readonly reason?: Reason;
}

/** An error that the operator is told of, in words that say what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  readonly reason: Reason | undefined;

  constructor(code: CommandErrorCode, message: string, { reason, ...options }: CommandErrorOptions = {}) {
    super(message, options);
    this.code = code;
    this.reason = reason;
  }
}
