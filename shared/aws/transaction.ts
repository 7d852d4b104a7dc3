import { TransactWriteCommand, type TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import { retryConflicts } from './bare-transaction.ts';
import { documents, type Item, itemInError } from './document-client.ts';

/** One write of a transaction, in plain values, and what it means if its condition fails. */
export interface Write {
  readonly item: NonNullable<TransactWriteCommandInput['TransactItems']>[number];
  /** The error for the item that is there instead; undefined if its token proves that this write put it there. */
  refusal(present: Item | undefined): Error | undefined;
}

/** Commits all writes or none. Throws the refusal of the first write whose condition fails. */
export function transact(writes: readonly Write[]): Promise<void> {
  const command = new TransactWriteCommand({ TransactItems: writes.map(({ item }) => item) });
  return retryConflicts(
    () => documents.send(command),
    (position, present) => writes[position]?.refusal(itemInError(present)),
  );
}
