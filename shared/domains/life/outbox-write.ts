import type { Write } from '../../aws/transaction.ts';
import type { DomainEvent } from './domain-event.ts';
import { DOMAINS_TABLE } from './domain-table.ts';

/** The key of an event in the outbox: sorted by time, and the same for the same event. */
export function outboxKey({ id, at }: DomainEvent) {
  return { domain: DOMAINS_TABLE.outboxPartitionKey, project: `#${at} ${id}` };
}

/** Puts an event into the outbox: a part of the transaction that makes the change which the event tells. */
export function outboxWrite(tableName: string, event: DomainEvent): Write {
  return {
    item: { Put: { TableName: tableName, Item: { ...outboxKey(event), event } } },
    refusal: () => undefined,
  };
}
