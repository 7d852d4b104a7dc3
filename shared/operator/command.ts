import * as z from 'zod/mini';
import type { Write } from '../aws/transaction.ts';
import type { CommandErrorCode, CommandsOf, InputOf, Reason, ResultOf } from './contract.ts';

/** What a command that changes something is given: the one way to make the change. */
export interface Change {
  /** Writes the change and its audit record in one transaction. The result is recorded, so it must hold no secret. */
  commit(writes: readonly Write[], result: unknown): Promise<void>;
  /** What to derive a secret of the result from, so that another delivery of the request gives the same one. */
  readonly seed: string | undefined;
}

/** What a follow-up returns: sentences for the operator, or nothing. */
type FollowedUp = Promise<readonly string[]> | Promise<void>;

/** Something that operators can ask for. */
export interface Command {
  /** What it takes besides the fields that every command has. */
  readonly accepts: z.ZodMiniObject;
  run(input: never, change: Change): Promise<unknown>;
  /**
   * What follows the change and cannot be part of its transaction. It must be idempotent: it runs again when the request
   * is delivered again, because the first delivery may have ended between the transaction and the follow-up. It returns
   * what the operator has to know about other things than the one that the command is about.
   */
  followUp?(input: never): FollowedUp;
  /** What is returned in place of the result, where that depends on what the follow-up did. */
  resultAfter?(input: never): Promise<unknown>;
  /** The recorded result of a request that is delivered again, with the secret that follows from its seed. */
  withSecret?(recorded: unknown, seed: string): unknown;
}

/** A schema of fields with the types before and after it is applied: a field with a default may be absent before. */
type Fields<Input, Output> = z.ZodMiniObject & {
  readonly _zod: { readonly input: Input; readonly output: Output };
};

/** A command with the types of its input and result. `in out`: the input must be the contract's, neither wider nor narrower. */
interface TypedCommand<in out Input, out Result> extends Command {
  readonly accepts: Fields<Input, unknown>;
  run(input: never, change: Change): Promise<Result>;
}

/** All commands of a group, such as `keys`, or of every group, as the contract has them. */
export type CommandTable<Group extends string = string> = {
  readonly [Name in CommandsOf<Group>]: TypedCommand<InputOf<Name>, ResultOf<Name>>;
};

export function command<Input, Output, Result>(
  accepts: Fields<Input, Output>,
  run: (input: Output, change: Change) => Promise<Result>,
  followUp?: (input: Output) => FollowedUp,
  resultAfter?: (input: Output) => Promise<Result>,
): TypedCommand<Input, Result> {
  return { accepts, run, ...(followUp && { followUp }), ...(resultAfter && { resultAfter }) };
}

/** An error that the operator sees. The message says what is wrong and what to do. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly code: CommandErrorCode;
  /** Why, for programs: the petstore command chooses its advice by it. */
  readonly reason: Reason | undefined;

  constructor(code: CommandErrorCode, message: string, reason?: Reason, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
    this.reason = reason;
  }
}

/** A refusal of the tables, as the operator sees it. */
export function conflict(error: Error, reason: Reason): CommandError {
  return new CommandError('conflict', error.message, reason, { cause: error });
}

const LARGEST_PAGE = 5000;
const PAGE_RANGE = `must be from 1 to ${LARGEST_PAGE}`;

/** How many entries of a list that has short ones are read at once. */
export const PageSize = z
  .int('must be a whole number')
  .check(z.gte(1, PAGE_RANGE), z.lte(LARGEST_PAGE, PAGE_RANGE));

/** The fields of a list that is read whole, or in pages where it could be too large for one response. */
export const pageFields = {
  after: z.optional(z.string('must be text')),
  limit: z.optional(PageSize),
};

interface Page {
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Lambda refuses a response of more than 6 MB; the rest is for the frame around a page. */
const LARGEST_PAGE_BYTES = 5_000_000;

/**
 * A page of a list: the entries after a key, in the order of their keys, and the key that the next page comes after. A
 * page ends before its limit where it would be too large for a response.
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
  // Whoever asks for no page doesn't ask for the next one either.
  const page = limit === undefined ? rest : fitting(rest.slice(0, limit));
  return {
    entries: page.map(({ entry }) => entry),
    next: page.length < rest.length ? (page.at(-1)?.key ?? null) : null,
  };
}

/** The first ones, at least one, that fit into a response. */
function fitting<Listed extends { readonly entry: unknown }>(page: readonly Listed[]): readonly Listed[] {
  let bytes = 0;
  const end = page.findIndex(({ entry }, index) => {
    bytes += Buffer.byteLength(JSON.stringify(entry)) + 1;
    return bytes > LARGEST_PAGE_BYTES && index > 0;
  });
  return end === -1 ? page : page.slice(0, end);
}

const DEFAULT_LIMIT = 50;
const MAXIMUM_LIMIT = 500;
const RANGE = `must be from 1 to ${MAXIMUM_LIMIT}`;

/** How many entries a list has at most. */
const Limit = z.int('must be a whole number').check(z.gte(1, RANGE), z.lte(MAXIMUM_LIMIT, RANGE));
export const ListLimit = z._default(Limit, DEFAULT_LIMIT);

/** How many entries a page has of a list that is usually read to its end. */
export const PageLimit = z._default(Limit, MAXIMUM_LIMIT);
