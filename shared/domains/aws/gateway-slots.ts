import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documents } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { DOMAINS_TABLE } from '../life/domain.ts';

/**
 * Slots for changes at API Gateway, which accepts one creation, change or deletion of a domain name in 30 s per account.
 * A step books a slot, waits for it and then makes its change, so none is throttled, however many book at once.
 */
export interface GatewaySlots {
  /** Books the next free slot and returns its time, in milliseconds. */
  book(nowMs: number): Promise<number>;
}

/** The least time between two slots: 30 s, and a second for clocks that differ. */
export const SLOT_MS = 31_000;

/** Kept in an item of the domains table (life/domain.ts). */
export function gatewaySlots(tableName: string, slotMs = SLOT_MS): GatewaySlots {
  const update = (UpdateExpression: string, ConditionExpression: string, nowMs: number, next: number) =>
    orUnavailable(
      documents.send(
        new UpdateCommand({
          TableName: tableName,
          Key: DOMAINS_TABLE.slotsKey,
          UpdateExpression,
          ConditionExpression,
          ExpressionAttributeValues: { ':now': nowMs, ':next': next },
          ReturnValues: 'UPDATED_NEW',
        }),
      ),
    );
  return {
    async book(nowMs) {
      for (;;) {
        try {
          const append = 'SET nextSlotMs = nextSlotMs + :next';
          const { Attributes } = await update(append, 'nextSlotMs > :now', nowMs, slotMs);
          // Stryker disable next-line OptionalChaining: DynamoDB returns what ReturnValues asks for.
          return Number(Attributes?.nextSlotMs) - slotMs;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
        try {
          const isFree = 'attribute_not_exists(nextSlotMs) OR nextSlotMs <= :now';
          await update('SET nextSlotMs = :next', isFree, nowMs, nowMs + slotMs);
          return nowMs;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
        }
      }
    },
  };
}
