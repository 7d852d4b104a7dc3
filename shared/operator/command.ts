import type * as z from 'zod/mini';
import type { Write } from '../aws/transaction.ts';
import type { CommandErrorCode, CommandName, CommandsOf, Reason, ResultOf } from './contract.ts';
import type { CheckedInputOf } from './inputs.ts';

/** Given to a command that changes something: the only way to make the change. */
export interface Change {
  /** Writes the change and its audit record in one transaction. The result is recorded, so it must hold no secret. */
  commit(writes: readonly Write[], result: unknown): Promise<void>;
  /** What to derive the result's secret from, so that another delivery of the request gives the same one. */
  readonly seed: string | undefined;
}

/** What a follow-up returns: sentences for the operator, or nothing. */
type FollowedUp = Promise<readonly string[]> | Promise<void>;

/** Carries out something that operators can ask for. */
export interface Command<Input = never, Result = unknown> {
  /** What it takes, if INPUTS can't say it all: it may have defaults that only the environment knows. */
  readonly accepts?: z.ZodMiniObject;
  run(input: Input, change: Change): Promise<Result>;
  /**
   * What follows the change and can't be part of its transaction. It must be idempotent: it runs again if the request is
   * delivered again, because the first delivery may have ended between the transaction and the follow-up. It returns what the
   * operator should know about things other than the command's subject.
   */
  followUp?(input: Input): FollowedUp;
  /** Returned in place of the result, if that depends on what the follow-up did. */
  resultAfter?(input: Input): Promise<Result>;
  /** The recorded result of a repeated request, with the secret that follows from its seed. */
  withSecret?(recorded: unknown, seed: string): unknown;
}

export type CommandOf<Name extends CommandName> = Command<CheckedInputOf<Name>, ResultOf<Name>>;

/** All commands of a group, such as `keys`, or of every group, as the contract has them. */
export type CommandTable<Group extends string = string> = {
  readonly [Name in CommandsOf<Group>]: CommandOf<Name>;
};

/** An error that the operator sees. The message says what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  /** Why, for programs: the petstore command picks its advice by it. */
  readonly reason: Reason | undefined;

  constructor(code: CommandErrorCode, message: string, reason?: Reason, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.reason = reason;
  }
}

/** A refusal by the tables, as the operator sees it. */
export function conflict(error: Error, reason: Reason): CommandError {
  return new CommandError('conflict', error.message, reason, { cause: error });
}

interface Page {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Lambda refuses a response of more than 6 MB; the rest is for the frame around a page. */
const LARGEST_PAGE_BYTES = 5_000_000;

/**
 * A page of a list: the entries after a key, in order of their keys, and the key to pass for the next page. A page ends before
 * its limit if it would be too large for a response.
 */
export function pageOf<Entry>(
  all: readonly Entry[],
  keyOf: (entry: Entry) => string,
  { after = '', limit }: Page,
): { entries: Entry[]; next: string | null } {
  const rest = all
    .map(entry => ({ entry, key: keyOf(entry) }))
    .filter(({ key }) => key > after)
    .sort((left, right) => (left.key < right.key ? -1 : 1));
  // Without paging there's no next page.
  const page = limit === undefined ? rest : fitting(rest.slice(0, limit));
  return {
    entries: page.map(({ entry }) => entry),
    next: page.length < rest.length ? (page.at(-1)?.key ?? null) : null,
  };
}

/** As many as fit into a response, but at least one. */
function fitting<Listed extends { readonly entry: unknown }>(page: readonly Listed[]): readonly Listed[] {
  let bytes = 0;
  const end = page.findIndex(({ entry }, index) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > LARGEST_PAGE_BYTES && index > 0;
  });
  return end === -1 ? page : page.slice(0, end);
}
