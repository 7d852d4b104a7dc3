import type { Domain, Trouble } from './domain.ts';
import { factsOfReason } from './domain-reason.ts';

/** What a todo says about its record. */
interface TodoFacts {
  /** Whether to set it in DNS now. */
  readonly isSet: boolean;
  /** Whether the next move is the owner's. */
  readonly isOwners: boolean;
  /** Whether it keeps a claim from going live. */
  readonly isTrouble: boolean;
}

/** What there can be to do about a record that isn't as required. */
const RECORD_TODOS = {
  create: { isSet: true, isOwners: true, isTrouble: true },
  /** It has another value, or another record is in its way. */
  correct: { isSet: true, isOwners: true, isTrouble: true },
  /** The domain is ready: its traffic may be switched here. */
  switch: { isSet: true, isOwners: true, isTrouble: false },
  /** The domain is in use: leave the record as it is until the domain is ready. */
  keep: { isSet: false, isOwners: false, isTrouble: false },
  /** Its value isn't known before the domain is attached. */
  later: { isSet: false, isOwners: true, isTrouble: false },
  /** The DNS provider has no such record: forward the domain there instead. */
  forward: { isSet: false, isOwners: true, isTrouble: true },
  /** The name servers don't answer. That usually passes; if it persists, ask the DNS provider. */
  ask: { isSet: false, isOwners: false, isTrouble: true },
} as const satisfies Record<string, TodoFacts>;

export interface RecordTodo {
  readonly kind: keyof typeof RECORD_TODOS;
}

/**
 * What to do about a trouble. `records`: set the records that need it, including `fix`; `forward`: do what the record says;
 * `message`: do what the message says.
 */
interface TroubleTodo {
  readonly kind: 'records' | 'forward' | 'message';
  readonly by: 'owner' | 'operator';
}

const NOTHING: TodoFacts = { isSet: false, isOwners: false, isTrouble: false };

export function factsOfTodo(todo: RecordTodo | null): TodoFacts {
  return todo ? RECORD_TODOS[todo.kind] : NOTHING;
}

/** Whether there's a record that its owner has to set in DNS now. */
export function waitsForRecords(records: readonly { readonly todo: RecordTodo | null }[]): boolean {
  return records.some(({ todo }) => factsOfTodo(todo).isSet);
}

type ReportedRecord = Pick<Domain['records'][number], 'purpose'> & { readonly todo: RecordTodo | null };

/** What to do about a trouble; null if all you can do is wait. `isSolvable`: a record that isn't listed solves it. */
export function troubleTodo(
  { reason }: Trouble,
  records: readonly ReportedRecord[],
  isSolvable: boolean,
): TroubleTodo | null {
  const { about, state, needs } = factsOfReason(reason);
  const todos = state ? records.flatMap(({ purpose, todo }) => (purpose === about && todo ? todo : [])) : [];
  if (isSolvable || todos.some(todo => factsOfTodo(todo).isSet)) return { kind: 'records', by: 'owner' };
  if (todos.some(({ kind }) => kind === 'forward')) return { kind: 'forward', by: 'owner' };
  return needs === 'owner' || needs === 'operator' ? { kind: 'message', by: needs } : null;
}
