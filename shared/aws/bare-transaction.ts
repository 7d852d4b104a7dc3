import {
  type AttributeValue,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb } from './dynamodb.ts';
import { retryConflicts } from './transaction-retries.ts';

/** One write of a transaction, in attribute values, and what it means when its condition does not hold. */
export interface BareWrite {
  readonly item: TransactWriteItem;
  /** The error for the item that is there instead; undefined when an earlier attempt of this write put it there. */
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
