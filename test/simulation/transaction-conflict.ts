import { TransactionCanceledException, TransactionConflictException } from '@aws-sdk/client-dynamodb';
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Call } from './call.ts';

/** The error of a write whose items another transaction is changing: nothing is written. */
export function conflictOf({ operation, input }: Call): Error {
  const message = 'Transaction is ongoing for the item';
  if (operation !== 'TransactWriteItems') {
    return new TransactionConflictException({ message, $metadata: {} });
  }
  const { TransactItems = [] } = input as TransactWriteCommandInput;
  return new TransactionCanceledException({
    message,
    $metadata: {},
    CancellationReasons: TransactItems.map((_, position) => ({
      Code: position === 0 ? 'TransactionConflict' : 'None',
    })),
  });
}
