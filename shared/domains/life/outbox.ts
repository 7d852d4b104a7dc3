import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { documents } from '../../aws/document-client.ts';
import { itemPages } from '../../aws/item-pages.ts';
import { transact, type Write } from '../../aws/transaction.ts';
import { DOMAINS_TABLE } from './domain.ts';
import { DomainEvent } from './domain-event.ts';
import { EVENT_TYPES } from './domain-status.ts';

export type Outbox = ReturnType<typeof outbox>;

/** Events that aren't published yet, in a partition of the domains table (life/domain.ts). */
export function outbox(tableName: string) {
  const deletion = (event: DomainEvent): Write => ({
    item: { Delete: { TableName: tableName, Key: outboxKey(event) } },
    refusal: () => undefined,
  });

  return {
    /** Oldest events first. The next page is read when it's asked for. */
    async *pages(): AsyncIterable<readonly DomainEvent[]> {
      const query = {
        TableName: tableName,
        KeyConditionExpression: '#partition = :outbox',
        ExpressionAttributeNames: { '#partition': DOMAINS_TABLE.partitionKey },
        ExpressionAttributeValues: { ':outbox': DOMAINS_TABLE.outboxPartitionKey },
      };
      const pages = itemPages(start => documents.send(new QueryCommand({ ...query, ...start })));
      for await (const page of pages) {
        yield page.map(({ event }) => DomainEvent.parse(event)).filter(isKnown);
      }
    },

    /** Deletes events that EventBridge has accepted, at most 100 of them. */
    remove: (events: readonly DomainEvent[]) => transact(events.map(deletion)),
  };
}

/** Unknown events are left to the version that wrote them: this one's role may not publish them. */
function isKnown({ type }: DomainEvent): boolean {
  return EVENT_TYPES.some(known => known === type);
}

/** The key of an event in the outbox: sorted by time, and the same for the same event. */
function outboxKey({ id, at }: DomainEvent) {
  return { domain: DOMAINS_TABLE.outboxPartitionKey, project: `#${at} ${id}` };
}

/** Puts an event into the outbox, as part of the transaction that changes the domain. */
export function outboxWrite(tableName: string, event: DomainEvent): Write {
  return {
    item: { Put: { TableName: tableName, Item: { ...outboxKey(event), event } } },
    refusal: () => undefined,
  };
}
