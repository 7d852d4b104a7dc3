import {
  type AttributeValue,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from './dynamodb.ts';
import { Unavailable } from './unavailable.ts';

export type Item = Record<string, AttributeValue>;

/** One write of a transaction, and what it means when its condition does not hold. */
export interface Write {
  readonly item: TransactWriteItem;
  /** The error for what is there instead, or undefined when that is this very write, made by an earlier attempt. */
  refusal(present: Item | undefined): Error | undefined;
}

/** Conflicts end as soon as one of those who write the same items is through; this outlasts a dozen of them. */
const ATTEMPTS = 20;
const LONGEST_WAIT_MS = 100;

/** Makes all the writes or none. Throws the refusal of the first write whose condition does not hold. */
export async function transact(writes: readonly Write[]): Promise<void> {
  // The SDK's retries carry one token for all attempts, by which DynamoDB knows a repetition for ten minutes.
  const command = new TransactWriteItemsCommand({ TransactItems: writes.map(({ item }) => item) });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    try {
      await orUnavailable(dynamoDb.send(command));
      return;
    } catch (error) {
      if (!(error instanceof TransactionCanceledException)) throw error;
      if (isMadeAlready(error, writes)) return;
      await pause(Math.random() * LONGEST_WAIT_MS);
    }
  }
  throw new Unavailable('Other writes to the same items kept getting in the way.');
}

/** True when the writes turn out to be made already, false when they only collided with others; throws a refusal. */
function isMadeAlready(error: TransactionCanceledException, writes: readonly Write[]): boolean {
  const reasons = error.CancellationReasons ?? [];
  if (reasons.some(({ Code }) => Code === 'ValidationError')) throw error;
  const refusals = reasons.flatMap(({ Code, Item }, index) =>
    Code === 'ConditionalCheckFailed' ? [writes[index]?.refusal(Item)] : [],
  );
  // All writes are made or none, so one that finds itself there speaks for all.
  if (refusals.includes(undefined)) return true;
  if (refusals.length > 0) throw refusals[0];
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
