import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand, type UpdateCommandInput } from '@aws-sdk/lib-dynamodb';
import { documents, findItem, itemInError } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { clock as realClock } from '../clock.ts';
import { FrontFull, type Slot } from '../front.ts';
import { DOMAINS_TABLE } from '../life/domain.ts';

/**
 * Slots for changes at API Gateway, which accepts one creation, change or deletion of a domain name in 30 s per account.
 * A pass books a slot, and its claim waits for it before the change is made, so none is throttled, however many book at once.
 */
export type GatewaySlots = ReturnType<typeof gatewaySlots>;

/** The least time between two slots: 30 s, and a second for clocks that differ. */
export const SLOT_MS = 31_000;

/** How often one domain finds out whether an account that was full takes another. */
const PROBE_MS = 10 * 60 * 1000;

/** Kept in an item of the domains table, whose attributes are in life/domain.ts. */
export function gatewaySlots(tableName: string, clock = realClock()) {
  const slotMs = clock.scaled(SLOT_MS);
  const read = async () => ((await findItem(tableName, DOMAINS_TABLE.slotsKey)) ?? {}) as SlotsItem;
  const update = async (input: Omit<UpdateCommandInput, 'TableName' | 'Key'>): Promise<SlotsItem> => {
    const command = new UpdateCommand({
      TableName: tableName,
      Key: DOMAINS_TABLE.slotsKey,
      ReturnValues: 'ALL_NEW',
      ...input,
    });
    return (await orUnavailable(documents.send(command))).Attributes as SlotsItem;
  };

  /** The slot now, if none is booked. */
  const bookNow = async (nowMs: number): Promise<Slot | undefined> => {
    const { aheadMs = 0 } = await update({
      UpdateExpression: 'SET nextSlotMs = :next',
      ConditionExpression: 'attribute_not_exists(nextSlotMs) OR nextSlotMs <= :now',
      ExpressionAttributeValues: { ':now': nowMs, ':next': nowMs + slotMs },
    });
    return { atMs: nowMs, queuedAtMs: nowMs - aheadMs };
  };

  const bookLast = async (nowMs: number): Promise<Slot> => {
    const { nextSlotMs = 0, aheadMs = 0 } = await update({
      UpdateExpression: 'SET nextSlotMs = nextSlotMs + :slot',
      ConditionExpression: 'nextSlotMs > :now',
      ExpressionAttributeValues: { ':now': nowMs, ':slot': slotMs },
    });
    const atMs = nextSlotMs - slotMs;
    return { atMs, queuedAtMs: atMs - aheadMs };
  };

  /** The first slot from now on that is not booked ahead. Those from then on move by one. */
  const bookFirst = async (nowMs: number): Promise<Slot | undefined> => {
    const { nextSlotMs = 0, aheadMs = 0, aheadUntilMs = 0 } = await read();
    if (nextSlotMs <= nowMs) return undefined;
    const firstMs = nextSlotMs - slotMs * Math.floor((nextSlotMs - nowMs) / slotMs);
    const atMs = Math.max(firstMs, aheadUntilMs);
    await update({
      UpdateExpression: 'SET nextSlotMs = :next, aheadMs = :ahead, aheadUntilMs = :until',
      // Every booking changes it.
      ConditionExpression: 'nextSlotMs = :read',
      ExpressionAttributeValues: {
        ':read': nextSlotMs,
        ':next': nextSlotMs + slotMs,
        ':ahead': aheadMs + slotMs,
        ':until': atMs + slotMs,
      },
    });
    return { atMs, queuedAtMs: atMs - aheadMs - slotMs };
  };

  return {
    /** Books a slot: the last one, or, for a deletion, which makes room, one ahead of all others. */
    async book({ isAhead = false } = {}): Promise<Slot> {
      for (;;) {
        for (const way of [bookNow, isAhead ? bookFirst : bookLast]) {
          const slot = await way(clock.now()).catch(ignoreUnmet);
          if (slot) return slot;
        }
      }
    },

    /** The time of a slot, which moves when others are booked ahead of it. */
    async timeOf(queuedAtMs: number): Promise<number> {
      const { aheadMs = 0, aheadUntilMs = 0 } = await read();
      const atMs = queuedAtMs + aheadMs;
      // One whose time had come before they were booked does not move.
      return atMs >= aheadUntilMs ? atMs : clock.now();
    },

    /**
     * Throws FrontFull while the account is known to be full. Every ten minutes the first domain to ask is let through and
     * finds out for all of them.
     */
    async requireRoom(domain: string): Promise<void> {
      const nowMs = clock.now();
      try {
        await update({
          UpdateExpression: 'SET fullUntilMs = :until, probedBy = :domain',
          ConditionExpression: 'fullUntilMs > :never AND (fullUntilMs <= :now OR probedBy = :domain)',
          ExpressionAttributeValues: {
            ':never': 0,
            ':now': nowMs,
            ':until': nowMs + clock.scaled(PROBE_MS),
            ':domain': domain,
          },
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        });
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const { fullUntilMs = 0 } = (itemInError(error.Item) ?? {}) as SlotsItem;
        if (fullUntilMs > 0) throw new FrontFull('The account has no room for another domain name.');
      }
    },

    /** What an attempt to create a domain name has shown. */
    async noteRoom(isFull: boolean): Promise<void> {
      const untilMs = isFull ? clock.now() + clock.scaled(PROBE_MS) : 0;
      await update({
        UpdateExpression: 'SET fullUntilMs = :until, probedBy = :nobody',
        ExpressionAttributeValues: { ':until': untilMs, ':nobody': '' },
      });
    },
  };
}

interface SlotsItem {
  readonly nextSlotMs?: number;
  readonly aheadMs?: number;
  readonly aheadUntilMs?: number;
  readonly fullUntilMs?: number;
}

function ignoreUnmet(error: unknown): undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return undefined;
}
