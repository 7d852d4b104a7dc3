import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { serveEvents } from '../../../infra/local/testing/served-events.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import type { DomainEvent } from '../../../shared/domains/life/domain-event.ts';
import { type Outbox, outbox, outboxWrite } from '../../../shared/domains/life/outbox.ts';
import { type EventBus, EventsRejected, eventBus, publisher } from '../../../shared/domains/publisher.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from './aws/client-endpoint.ts';
import { AT, AT_MS, someEvent } from './claimed-domain.ts';

let table: string;
let pending: Outbox;
beforeEach(async () => {
  vi.spyOn(process.stdout, 'write').mockImplementation(() => true);
  table = await tableLike('DomainsTable');
  pending = outbox(table);
});

/** Events with the revisions 1 to the count, a second apart, in the outbox in the opposite order. */
async function stored(count: number): Promise<DomainEvent[]> {
  const events = Array.from({ length: count }, (_, index) =>
    someEvent({ revision: index + 1, at: new Date(AT_MS + index * 1000).toISOString() }),
  );
  await transact(events.toReversed().map(event => outboxWrite(table, event)));
  return events;
}

/** A bus that rejects the events of these revisions. */
function busRejecting(...revisions: number[]) {
  const batches: DomainEvent[][] = [];
  const bus: EventBus = {
    async put(events) {
      batches.push([...events]);
      return events.map(({ revision }) =>
        revisions.includes(revision)
          ? { isAccepted: false, error: 'InternalFailure: ' }
          : { isAccepted: true },
      );
    },
  };
  return { bus, batches };
}

const left = async () => (await Array.fromAsync(pending.pages())).flat();

describe('publisher', () => {
  test('publishes the oldest events first, ten at a time, and leaves nothing', async () => {
    const events = await stored(23);
    const { bus, batches } = busRejecting();
    expect(await publisher({ outbox: pending, bus })()).toEqual({ published: 23 });
    expect(batches.map(({ length }) => length)).toEqual([10, 10, 3]);
    expect(batches.flat()).toEqual(events);
    expect(await left()).toEqual([]);
    expect(await publisher({ outbox: pending, bus })()).toEqual({ published: 0 });
    expect(batches).toHaveLength(3);
  });

  test('leaves events of a type that it does not know, and publishes the others', async () => {
    const events = await stored(2);
    await transact([outboxWrite(table, someEvent({ type: 'archived' }))]);
    const { bus, batches } = busRejecting();
    expect(await publisher({ outbox: pending, bus })()).toEqual({ published: 2 });
    expect(batches.flat()).toEqual(events);
    const { Items } = await documents.send(new ScanCommand({ TableName: table }));
    expect(Items).toMatchObject([{ event: { type: 'archived' } }]);
  });

  test('keeps the events that were rejected, publishes the others, and fails at the end', async () => {
    const events = await stored(12);
    const { bus } = busRejecting(2, 11);
    await expect(publisher({ outbox: pending, bus })()).rejects.toThrow(EventsRejected);
    expect(await left()).toEqual([events[1], events[10]]);
    const { bus: calm, batches } = busRejecting();
    expect(await publisher({ outbox: pending, bus: calm })()).toEqual({ published: 2 });
    expect(batches).toEqual([[events[1], events[10]]]);
  });

  test('deletes no event of a request that failed as a whole', async () => {
    const events = await stored(3);
    const put = () => Promise.reject(new Error('no answer'));
    await expect(publisher({ outbox: pending, bus: { put } })()).rejects.toThrow('no answer');
    expect(await left()).toEqual(events);
  });

  test('publishes an event again, the same in every field, where an earlier run ended before its deletion', async () => {
    const [event] = await stored(1);
    const { bus, batches } = busRejecting();
    const remove = () => Promise.reject(new Error('The function ended.'));
    await expect(publisher({ outbox: { ...pending, remove }, bus })()).rejects.toThrow('The function ended.');
    expect(await publisher({ outbox: pending, bus })()).toEqual({ published: 1 });
    expect(batches).toEqual([[event], [event]]);
  });

  test('takes it that a concurrent run has deleted the event already', async () => {
    await stored(2);
    const { bus } = busRejecting();
    const run = publisher({ outbox: pending, bus });
    const outcomes = await Promise.all([run(), run()]);
    expect(outcomes.reduce((sum, { published }) => sum + published, 0)).toBeGreaterThanOrEqual(2);
    expect(await left()).toEqual([]);
  });
});

describe('eventBus', () => {
  test('puts events under the source of the environment, with all their fields as the detail', async () => {
    const { endpoint, accepted } = await serveEvents();
    stubEndpoint('EVENTBRIDGE', endpoint);
    const events = [someEvent(), someEvent({ type: 'needs attention', revision: 9 })];
    expect(await eventBus('staging').put(events)).toEqual([{ isAccepted: true }, { isAccepted: true }]);
    const { type, ...detail } = someEvent();
    expect(accepted).toMatchObject([
      {
        source: 'petstore.staging',
        'detail-type': 'Domain failed',
        time: AT.replace('.000Z', 'Z'),
        resources: [],
      },
      { 'detail-type': 'Domain needs attention' },
    ]);
    expect(accepted[0]?.detail).toEqual(detail);
  });

  test('says of every event whether it was accepted', async () => {
    const { endpoint, accepted } = await serveEvents();
    stubEndpoint('EVENTBRIDGE', endpoint);
    // The source is too long, so every entry fails by itself.
    const outcomes = await eventBus('e'.repeat(300)).put([someEvent()]);
    expect(outcomes).toEqual([{ isAccepted: false, error: expect.stringContaining('InvalidArgument') }]);
    expect(accepted).toEqual([]);
  });
});
