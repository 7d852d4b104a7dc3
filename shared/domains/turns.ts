import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';

/**
 * Turns at API Gateway, which takes one creation, change or deletion of a domain name in 30 s per account. Whoever has
 * something to do takes a turn, waits for it and does it: however many want to at once, nobody is turned away.
 */
export interface Turns {
  /** When the turn comes that is hereby taken, in milliseconds. */
  take(nowMs: number): Promise<number>;
}

/** 30 s, and a second for clocks that differ. */
export const TURN_MS = 31_000;

/** Kept in the item `#turns` of the domains table (domain-table.ts). */
export function turns(tableName: string): Turns {
  const update = (UpdateExpression: string, ConditionExpression: string, nowMs: number, next: number) =>
    orUnavailable(
      dynamoDb.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { domain: { S: '#turns' } },
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues: { ':now': { N: String(nowMs) }, ':next': { N: String(next) } },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
  return {
    async take(nowMs) {
      for (;;) {
        try {
          const queued = 'SET nextTurnMs = nextTurnMs + :next';
          const { Attributes } = await update(queued, 'nextTurnMs > :now', nowMs, TURN_MS);
          return Number(Attributes?.nextTurnMs?.N) - TURN_MS;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
        try {
          const isFree = 'attribute_not_exists(nextTurnMs) OR nextTurnMs <= :now';
          await update('SET nextTurnMs = :next', isFree, nowMs, nowMs + TURN_MS);
          return nowMs;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
      }
    },
  };
}
