import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { dynamoDb } from '../../../../shared/aws/dynamodb.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { changed } from '../../../../shared/domains/life/change.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { type DomainEvent, removedEvent } from '../../../../shared/domains/life/domain-event.ts';
import {
  AlreadyClaimed,
  DomainChanged,
  DomainTaken,
  domainStore,
  saveAnyway,
  saveUnlessStale,
} from '../../../../shared/domains/life/domain-store.ts';
import { outbox } from '../../../../shared/domains/life/outbox.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT, AT_MS, certified, claimed, live } from '../claimed-domain.ts';
import { forget, save, saveProven } from '../stored-claims.ts';

const table = await tableLike('DomainsTable');
const store = domainStore(table);

/** Claims this name. Each test uses names of its own. */
async function stored(domain: string, changes: Partial<Domain> = {}): Promise<Domain> {
  const claim = claimed({ domain, ...changes });
  await transact([store.claim(claim)]);
  return claim;
}

const OTHERS = { target: 'ffffffffffffffffffff.apps.petstore.example', project: 'farm' };
const byName = (one: Domain, other: Domain) => one.domain.localeCompare(other.domain);
const TROUBLE = { reason: 'caa_blocked', message: 'Some message.' } as const;

test('a claim is refused with AlreadyClaimed where the project has claimed the name', async () => {
  const claim = await stored('taken.zoo.example');
  const { target } = OTHERS;
  const refusal = await transact([store.claim({ ...claim, target })]).catch(error => error);
  expect(refusal).toBeInstanceOf(AlreadyClaimed);
  expect(refusal).toMatchObject({
    name: 'AlreadyClaimed',
    message: 'taken.zoo.example is already in project zoo.',
    claim,
  });
  expect(await store.find('taken.zoo.example', 'zoo')).toEqual(claim);
});

/** The events of a name in the outbox. */
async function eventsOf(name: string): Promise<DomainEvent[]> {
  const pages = await Array.fromAsync(outbox(table).pages());
  return pages.flat().filter(({ domain }) => domain === name);
}

/** The ways to write the next revision. */
const WRITES: [way: string, write: (next: Domain) => Promise<void>][] = [
  ['change', next => save(store, next)],
  ['proof', next => saveProven(store, next)],
];
const end = (read: Domain) => forget(store, read, AT_MS);
const withEvent = (read: Domain) => nextRevision(changed(read, { ...TROUBLE, failedAt: AT }, AT_MS));

describe.each<[string, (read: Domain) => Promise<void>]>([
  ...WRITES.map(([way, write]): [string, (read: Domain) => Promise<void>] => [
    way,
    read => write(withEvent(read)),
  ]),
  ['end', end],
])('%s', (way, write) => {
  test.each([
    ['another has written it', (read: Domain) => save(store, nextRevision(read))],
    ['another has written the same', (read: Domain) => save(store, withEvent(read))],
    ['the domain is gone', end],
    [
      'the name was claimed anew',
      async (read: Domain) => {
        await end(read);
        await stored(read.domain, { target: OTHERS.target, revision: 5 });
      },
    ],
  ])('is refused where %s, and changes nothing', async (meanwhile, happen) => {
    const read = await stored(`${way}-${meanwhile}.zoo.example`, { status: 'verifying' });
    await happen(read);
    const before = [await store.find(read.domain, 'zoo'), await eventsOf(read.domain)];
    const message = `${read.domain} was changed in the meantime.`;
    await expect(write(read)).rejects.toMatchObject({ name: 'DomainChanged', message });
    expect([await store.find(read.domain, 'zoo'), await eventsOf(read.domain)]).toEqual(before);
    expect(await store.ownerOf(read.domain)).toBeUndefined();
  });
});

describe.each(WRITES)('%s', (way, write) => {
  const name = (rest: string) => `${way.toLowerCase()}-${rest}.zoo.example`;

  test('writes the next revision, and puts the event of the change into the outbox; none where the state has not changed since', async () => {
    const before = await stored(name('live'), live({ domain: name('live') }));
    const troubled = nextRevision(changed(before, TROUBLE, AT_MS));
    await write(troubled);
    expect(await store.find(troubled.domain, 'zoo')).toEqual(troubled);
    const again = nextRevision(changed(troubled, TROUBLE, AT_MS + 1));
    await write(again);
    expect(await store.find(again.domain, 'zoo')).toEqual(again);
    const { revision } = troubled;
    expect(await eventsOf(name('live'))).toMatchObject([{ type: 'needs attention', revision, ...TROUBLE }]);
  });

  test('puts the event once when a retry finds its own write committed, and the event published', async () => {
    const written = withEvent(await stored(name('lost'), { status: 'verifying' }));
    await write(written);
    await outbox(table).remove(await eventsOf(written.domain));
    await expect(write(written)).rejects.toThrow(DomainChanged);
    expect(await eventsOf(written.domain)).toEqual([]);
  });
});

test('proof makes a project the owner, also repeatedly, and refuses a second one with DomainTaken', async () => {
  const claims = [await stored('proven.zoo.example'), await stored('proven.zoo.example', OTHERS)];
  const proven = claims.map(claim => nextRevision({ ...claim, status: 'issuing' }));
  const [ours, theirs] = proven as [Domain, Domain];
  await saveProven(store, ours);
  expect(await store.find(ours.domain, 'zoo')).toEqual(ours);
  const refusal = await saveProven(store, theirs).catch(error => error);
  expect(refusal).toBeInstanceOf(DomainTaken);
  expect(refusal.name).toBe('DomainTaken');
  expect(refusal.message).not.toContain('project zoo');
  expect(await store.find(theirs.domain, 'farm')).toMatchObject({ status: 'pending_dns', revision: 1 });
  await saveProven(store, nextRevision(ours));
  expect(await store.ownerOf(ours.domain)).toBe('zoo');
});

test('a domain is stored field by field, its objects as maps', async () => {
  const claim = await stored('fields.zoo.example', { reason: null });
  const Key = { domain: { S: claim.domain }, project: { S: claim.project } };
  const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key }));
  expect(Object.keys(Item ?? {}).toSorted()).toEqual(Object.keys(claim).toSorted());
  expect(Item).toMatchObject({
    revision: { N: '1' },
    reason: { NULL: true },
    certificate: { M: { requests: { N: String(claim.certificate.requests) } } },
    history: { L: expect.any(Array) },
  });
});

test('saveUnlessStale says whether the revision was written, and passes on an error that is not about that', async () => {
  const claim = await stored('stale.zoo.example');
  const saved = (next: Domain) => saveUnlessStale(save(store, next));
  expect(await saved(nextRevision(claim))).toBe(true);
  expect(await saved(nextRevision(claim))).toBe(false);
  await expect(saveUnlessStale(Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
});

describe('saveAnyway', () => {
  const changeOf = (claim: Domain) => ({ ...claim, certificate: certified() });
  const savedAnyway = (claim: Domain) =>
    store.holding(claim.domain, holder => saveAnyway(store, holder, claim, changeOf));

  test('changes the claim as it is by now: moved, and removed', async () => {
    const claim = await stored('anyway.zoo.example');
    const moved = nextRevision({ ...claim, project: 'farm' });
    await transact(await store.move([{ before: claim, next: moved }], AT_MS));
    const removed = nextRevision(removalStarted(moved, AT_MS));
    await save(store, removed);
    const after = nextRevision(changeOf(removed));
    expect(await savedAnyway(claim)).toEqual(after);
    expect(await store.find(claim.domain, 'farm')).toEqual(after);
  });

  test('is refused where the claim is gone, although the name was claimed anew', async () => {
    const claim = await stored('anyway-gone.zoo.example');
    await end(claim);
    const anew = await stored(claim.domain, { target: OTHERS.target, revision: 5 });
    await expect(savedAnyway(claim)).rejects.toThrow(DomainChanged);
    expect(await store.find(claim.domain, 'zoo')).toEqual(anew);
  });
});

test('present finds a claim by its host, in whichever project it is', async () => {
  const claim = await stored('present.zoo.example');
  await saveProven(store, nextRevision(await stored(claim.domain, OTHERS)));
  expect(await store.present(claim)).toEqual(claim);
  expect(await store.present({ ...claim, target: OTHERS.target })).toMatchObject({ project: 'farm' });
  expect(await store.present({ ...claim, target: 'gone.apps.petstore.example' })).toBeUndefined();
});

test('all and listOf give claims: neither owners, names, events nor the slots that are kept in the same table', async () => {
  const barn = { project: 'barn', status: 'verifying' } as const;
  const claims = [await stored('two.barn.example', barn), await stored('one.barn.example', barn)];
  const [second, first] = claims.map(withEvent) as [Domain, Domain];
  await saveProven(store, second);
  await save(store, first);
  await gatewaySlots(table).turn('create', null);
  expect(await store.listOf('barn')).toEqual([first, second]);
  expect(await store.listOf('nobody')).toEqual([]);
  const all = await store.all();
  expect(all.filter(({ project }) => project === 'barn').toSorted(byName)).toEqual([first, second]);
  expect(all.filter(({ domain, project }) => `${domain} ${project}`.includes('#'))).toEqual([]);
});

describe('end', () => {
  test('deletes the ownership of its project with the claim, and that of no other', async () => {
    const ours = nextRevision(await stored('given-up.zoo.example'));
    const theirs = await stored('given-up.zoo.example', OTHERS);
    await saveProven(store, ours);
    await end(theirs);
    expect(await store.ownerOf(ours.domain)).toBe('zoo');
    await end(ours);
    expect(await store.ownerOf(ours.domain)).toBeUndefined();
  });

  test('puts one event into the outbox, however often and by how many it is repeated', async () => {
    const domain = removalStarted(await stored('once.zoo.example'), AT_MS);
    const forgets = [1, 2, 3].map(second => forget(store, domain, AT_MS + second * 1000));
    const outcomes = await Promise.allSettled(forgets);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await store.find(domain.domain, 'zoo')).toBeUndefined();
    const events = await eventsOf(domain.domain);
    expect(events).toHaveLength(1);
    await outbox(table).remove(events);
    await expect(forget(store, domain, AT_MS + 9000)).rejects.toThrow(DomainChanged);
    expect(await eventsOf(domain.domain)).toEqual([]);
    expect(events).toMatchObject([{ ...removedEvent(domain, AT_MS), at: expect.any(String) }]);
  });
});

test('noClaimsCheck is refused with the names that a project has, and passes for a project without any', async () => {
  const project = 'stable';
  await saveProven(store, nextRevision(await stored('b.stable.example', { project })));
  expect(await transact([store.noClaimsCheck('empty')])).toBeUndefined();
  await expect(transact([store.noClaimsCheck(project)])).rejects.toMatchObject({
    name: 'ProjectHasDomains',
    names: ['b.stable.example'],
  });
  await transact([store.unverifiedCount([claimed({ domain: 'a.stable.example', project })])]);
  await expect(transact([store.noClaimsCheck(project)])).rejects.toMatchObject({
    names: ['a.stable.example', 'b.stable.example'],
    message: 'The project has the domains a.stable.example, b.stable.example.',
  });
});

test('unverifiedCount is refused with TooManyUnverified where a project has as many as it may have', async () => {
  const claimOf = (label: unknown) => claimed({ domain: `${label}.pond.example`, project: 'pond' });
  await transact([store.unverifiedCount(Array.from({ length: 19 }, (_, number) => claimOf(number)))]);
  await transact([store.unverifiedCount([claimOf('last')])]);
  const further = transact([store.unverifiedCount([claimOf('more')])]);
  await expect(further).rejects.toMatchObject({ name: 'TooManyUnverified' });
});

test('the kept records of a name are used by one claim only', async () => {
  const name = 'once-kept.zoo.example';
  const removed = await stored(name);
  await forget(store, removed, AT_MS, AT_MS + 1000);
  const { target, challenge } = removed;
  expect(await store.formerRecords(name, 'zoo', AT_MS)).toEqual({ target, challenge });
  const again = claimed({ domain: name, target, challenge });
  await transact([store.formerRecordsUse(again)]);
  await expect(transact([store.formerRecordsUse(again)])).rejects.toThrow(DomainChanged);
  expect(await store.formerRecords(name, 'zoo', AT_MS)).toBeUndefined();
});
