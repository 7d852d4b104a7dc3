import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { documents } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { clock as realClock, timeOf } from '../clock.ts';
import type { Later } from '../front.ts';
import { DOMAINS_TABLE } from '../life/domain.ts';

/**
 * Slots for changes at API Gateway, which accepts one creation, one update and one deletion of a domain name in 30 s per
 * account. Each of the three has a queue. Whoever wants a change gets a ticket, which is the time of its slot, and comes
 * back then.
 */
export type GatewaySlots = ReturnType<typeof gatewaySlots>;

/** A kind of change of a domain name. */
export type Change = 'create' | 'update' | 'delete';

/** The time between two slots: 30 s, plus a second for clocks that differ. */
export const SLOT_MS = 31_000;

/** Kept in an item of the domains table, whose attributes are in life/domain.ts. */
export function gatewaySlots(tableName: string, clock = realClock()) {
  const slotMs = clock.scaled(SLOT_MS);

  /** Books the slot now, if none is booked, and otherwise the one after the last. */
  const book = async (change: Change): Promise<number> => {
    for (;;) {
      const nowMs = clock.now();
      const ways = [
        { next: ':now + :slot', condition: 'attribute_not_exists(#next) OR #next <= :now' },
        { next: '#next + :slot', condition: '#next > :now' },
      ];
      for (const { next, condition } of ways) {
        const update = new UpdateCommand({
          TableName: tableName,
          Key: DOMAINS_TABLE.slotsKey,
          UpdateExpression: `SET #next = ${next}`,
          ConditionExpression: condition,
          ExpressionAttributeNames: { '#next': change },
          ExpressionAttributeValues: { ':now': nowMs, ':slot': slotMs },
          ReturnValues: 'UPDATED_NEW',
        });
        const booked = await orUnavailable(documents.send(update)).catch(ignoreUnmet);
        if (booked) return Number(booked.Attributes?.[change]) - slotMs;
      }
    }
  };

  const later = (atMs: number, isBusy: boolean): Later => ({
    kind: 'later',
    atMs,
    ticket: timeOf(atMs),
    isBusy,
  });

  return {
    /** The wait for this ticket's turn, or a new ticket's; undefined if it's now. */
    async turn(change: Change, ticket: string | null): Promise<Later | undefined> {
      const atMs = ticket === null ? await book(change) : Date.parse(ticket);
      return atMs > clock.now() ? later(atMs, false) : undefined;
    },

    /** The next turn, after somebody else in the account used the current slot. */
    async nextTurn(change: Change): Promise<Later> {
      const atMs = await book(change);
      return later(atMs > clock.now() ? atMs : await book(change), true);
    },
  };
}

function ignoreUnmet(error: unknown): undefined {
  if (!(error instanceof ConditionalCheckFailedException)) throw error;
  return undefined;
}
