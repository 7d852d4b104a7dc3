import {
  type AttributeValue,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from './dynamodb.ts';
import { Unavailable } from './retries.ts';

/** One write of a transaction, in attribute values, and what it means if its condition fails. */
export interface BareWrite {
  readonly item: TransactWriteItem;
  /**
   * The error for the item that is there instead; undefined if its token proves that this write put it there. Equal content
   * proves nothing: it may be another transaction's.
   */
  refusal(present: Record<string, AttributeValue> | undefined): Error | undefined;
}

/**
 * The transaction of the hot path: `transact` (transaction.ts) over the bare client, which keeps the document client out
 * of the bundle of createPet. Commits all writes or none.
 */
export function transactBare(writes: readonly BareWrite[]): Promise<void> {
  const command = new TransactWriteItemsCommand({ TransactItems: writes.map(({ item }) => item) });
  return retryConflicts(
    () => dynamoDb.send(command),
    (position, present) => writes[position]?.refusal(present),
  );
}

/**
 * What it means that the condition of the write at this position fails: an error, or undefined if an earlier attempt of the
 * same write put the present item there.
 */
type RefusalAt = (position: number, present: Record<string, AttributeValue> | undefined) => Error | undefined;

/** A refusal that proves that another transaction has committed, although it may have made some of the same writes. */
export class CommittedByOther extends Error {
  override readonly name: string = 'CommittedByOther';
}

/** A conflict ends once one of the competing writers is through; 20 attempts outlast a dozen writers. */
const ATTEMPTS = 20;
const LONGEST_WAIT_MS = 100;

/** Sends a transaction until it commits. Throws the refusal of the first write whose condition does not hold. */
export async function retryConflicts(send: () => Promise<unknown>, refusalAt: RefusalAt): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      // The SDK's retries of one send carry one token, by which DynamoDB recognizes a repetition for ten minutes.
      await orUnavailable(send());
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      if (wasCommittedBefore(error, refusalAt)) return;
      // A random wait, so that writers that collided don't collide again.
      await pause(Math.random() * LONGEST_WAIT_MS);
    }
  }
  throw new Unavailable('Transactions on the same items kept conflicting.');
}

/** True if an earlier attempt committed the writes, false if they only conflicted with others; throws a refusal. */
function wasCommittedBefore(error: TransactionCanceledException, refusalAt: RefusalAt): boolean {
  const reasons = error.CancellationReasons ?? [];
  if (reasons.some(({ Code }) => Code === 'ValidationError')) throw error;
  const refusals = reasons.flatMap(({ Code, Item }, position) =>
    Code === 'ConditionalCheckFailed' ? [refusalAt(position, Item)] : [],
  );
  const foreign = refusals.find(refusal => refusal instanceof CommittedByOther);
  if (foreign) throw foreign;
  // A transaction commits all writes or none: one write found committed proves all.
  if (refusals.includes(undefined)) return true;
  if (refusals.length > 0) throw refusals[0];
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
