import { ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../../aws/dynamodb.ts';

/**
 * GatewaySlots at API Gateway, which takes one creation, change or deletion of a domain name in 30 s per account. Whoever has
 * something to do takes a turn, waits for it and does it: however many want to at once, nobody is turned away.
 */
export interface GatewaySlots {
  /** When the turn comes that is hereby taken, in milliseconds. */
  book(nowMs: number): Promise<number>;
}

/** 30 s, and a second for clocks that differ. */
export const SLOT_MS = 31_000;

/** Kept in the item `#slots` of the domains table (domain-table.ts). */
export function gatewaySlots(tableName: string): GatewaySlots {
  const update = (UpdateExpression: string, ConditionExpression: string, nowMs: number, next: number) =>
    orUnavailable(
      dynamoDb.send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { domain: { S: '#slots' } },
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues: { ':now': { N: String(nowMs) }, ':next': { N: String(next) } },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
  return {
    async book(nowMs) {
      for (;;) {
        try {
          const queued = 'SET nextSlotMs = nextSlotMs + :next';
          const { Attributes } = await update(queued, 'nextSlotMs > :now', nowMs, SLOT_MS);
          return Number(Attributes?.nextSlotMs?.N) - SLOT_MS;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
        try {
          const isFree = 'attribute_not_exists(nextSlotMs) OR nextSlotMs <= :now';
          await update('SET nextSlotMs = :next', isFree, nowMs, nowMs + SLOT_MS);
          return nowMs;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
      }
    },
  };
}
