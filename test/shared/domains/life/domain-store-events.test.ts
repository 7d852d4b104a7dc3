import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { type DomainEvent, removedEvent } from '../../../../shared/domains/events/domain-event.ts';
import { outbox } from '../../../../shared/domains/events/outbox.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import {
  DomainChanged,
  type DomainStore,
  domainStore,
  Superseded,
} from '../../../../shared/domains/life/domain-store.ts';
import { failed, rechecked, removalStarted } from '../../../../shared/domains/life/transitions.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, claimed, live } from '../claimed-domain.ts';

const OTHERS = { target: 'ffffffffffffffffffff.apps.petstore.example', project: 'farm' };
const OBSTACLE = { reason: 'caa_blocked', message: 'Some message.' } as const;

let table: string;
let store: DomainStore;
beforeAll(async () => {
  table = await tableLike('DomainsTable');
  store = domainStore(table);
});

/** Claims this name. Each test uses names of its own. */
async function stored(domain: string, changes: Partial<Domain> = {}): Promise<Domain> {
  const claim = claimed({ domain, ...changes });
  await transact([store.claim(claim)]);
  return claim;
}

/** The events of a name in the outbox. */
async function eventsOf(name: string): Promise<DomainEvent[]> {
  const pages = await Array.fromAsync(outbox(table).pages());
  return pages.flat().filter(({ domain }) => domain === name);
}

/** All ways to write the next revision. */
const WRITES = [
  ['save', (next: Domain) => store.save(next)],
  ['saveProven', (next: Domain) => store.saveProven(next)],
  ['change', (next: Domain) => transact(store.change(next))],
] as const;

describe.each(WRITES)('%s', (way, write) => {
  const name = (rest: string) => `${way.toLowerCase()}-${rest}.zoo.example`;

  test('puts the event of the change into the outbox', async () => {
    const next = nextRevision(failed(await stored(name('failed'), { status: 'verifying' }), OBSTACLE, AT_MS));
    await write(next);
    expect(await eventsOf(next.domain)).toMatchObject([{ type: 'failed', revision: 2, ...OBSTACLE }]);
    expect(await store.find(next.domain, 'zoo')).toEqual(next);
  });

  test('puts no event where the state has not changed since the last one', async () => {
    const before = await stored(name('live'), live({ domain: name('live') }));
    const troubled = nextRevision(rechecked(before, OBSTACLE, AT_MS));
    await write(troubled);
    await write(nextRevision(rechecked(troubled, OBSTACLE, AT_MS + 1)));
    expect(await eventsOf(name('live'))).toHaveLength(1);
  });

  test('puts no event where the write is refused', async () => {
    const claim = await stored(name('stale'), { status: 'verifying' });
    await store.save(nextRevision({ ...claim, message: 'Theirs.' }));
    await expect(write(nextRevision(failed(claim, OBSTACLE, AT_MS)))).rejects.toThrow(DomainChanged);
    expect(await eventsOf(claim.domain)).toEqual([]);
  });

  test('puts the event once when a retry finds its own write committed, and the event published', async () => {
    const next = nextRevision(failed(await stored(name('lost'), { status: 'verifying' }), OBSTACLE, AT_MS));
    await write(next);
    await outbox(table).remove(await eventsOf(next.domain));
    await write(next);
    expect(await eventsOf(next.domain)).toEqual([]);
  });
});

test('events in the outbox are neither claims nor domains of a project', async () => {
  const next = nextRevision(
    failed(await stored('hidden.zoo.example', { status: 'verifying', project: 'barn' }), OBSTACLE, AT_MS),
  );
  await store.save(next);
  expect((await store.all()).filter(({ project }) => project === 'barn')).toEqual([next]);
  expect(await store.listOf('barn')).toEqual([next]);
});

describe('forget', () => {
  test('deletes the domain, and may be repeated', async () => {
    const domain = await stored('forgotten.zoo.example', { attempt: 3 });
    await store.forget(domain, AT_MS);
    await store.forget(domain, AT_MS);
    expect(await store.find(domain.domain, 'zoo')).toBeUndefined();
  });

  test('deletes the ownership of its project with the claim, and that of no other', async () => {
    const ours = nextRevision(await stored('given-up.zoo.example'));
    const theirs = await stored('given-up.zoo.example', OTHERS);
    await store.saveProven(ours);
    await store.forget(theirs, AT_MS);
    expect(await store.ownerOf(ours.domain)).toBe('zoo');
    await store.forget(ours, AT_MS);
    expect(await store.ownerOf(ours.domain)).toBeUndefined();
  });

  test('is refused with Superseded where another attempt has begun', async () => {
    const domain = await stored('kept.zoo.example');
    const verified = nextRevision({ ...domain, attempt: 2 });
    await store.save(verified);
    await expect(store.forget(domain, AT_MS)).rejects.toThrow(Superseded);
    expect(await store.find(domain.domain, 'zoo')).toEqual(verified);
  });

  test('is refused with DomainChanged where the same attempt was written by another', async () => {
    const domain = await stored('rewritten.zoo.example');
    await store.save(nextRevision({ ...domain, message: 'Theirs.' }));
    await expect(store.forget(domain, AT_MS)).rejects.toThrow(DomainChanged);
    expect(await store.find(domain.domain, 'zoo')).toBeDefined();
    expect(await eventsOf(domain.domain)).toEqual([]);
  });

  test('puts one event into the outbox, however often and by how many it is repeated', async () => {
    const domain = removalStarted(await stored('once.zoo.example'), AT_MS);
    await Promise.all([1, 2, 3].map(second => store.forget(domain, AT_MS + second * 1000)));
    const events = await eventsOf(domain.domain);
    expect(events).toHaveLength(1);
    await outbox(table).remove(events);
    await store.forget(domain, AT_MS + 9000);
    expect(await eventsOf(domain.domain)).toEqual([]);
    expect(events).toMatchObject([{ ...removedEvent(domain, AT_MS), at: expect.any(String) }]);
  });
});
