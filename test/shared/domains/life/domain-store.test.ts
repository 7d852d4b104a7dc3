import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from 'vitest';
import { dynamoDb } from '../../../../shared/aws/dynamodb.ts';
import { transact } from '../../../../shared/aws/transaction.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { type DomainEvent, removedEvent } from '../../../../shared/domains/life/domain-event.ts';
import {
  AlreadyClaimed,
  DomainChanged,
  DomainTaken,
  domainStore,
  Superseded,
  saveUnlessStale,
} from '../../../../shared/domains/life/domain-store.ts';
import { outbox } from '../../../../shared/domains/life/outbox.ts';
import { failed, rechecked, removalStarted } from '../../../../shared/domains/life/transitions.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, claimed, live } from '../claimed-domain.ts';

const table = await tableLike('DomainsTable');
const store = domainStore(table);

/** Claims this name. Each test uses names of its own. */
async function stored(domain: string, changes: Partial<Domain> = {}): Promise<Domain> {
  const claim = claimed({ domain, ...changes });
  await transact([store.claim(claim)]);
  return claim;
}

const OTHERS = { target: 'ffffffffffffffffffff.apps.petstore.example', project: 'farm' };
const OBSTACLE = { reason: 'caa_blocked', message: 'Some message.' } as const;

describe('a claim', () => {
  test('is found as it was written; a name without a claim is not', async () => {
    const claim = await stored('a.zoo.example');
    expect(await store.find('a.zoo.example', 'zoo')).toEqual(claim);
    expect(await store.find('b.zoo.example', 'zoo')).toBeUndefined();
  });

  test('is refused with AlreadyClaimed where the project has claimed the name', async () => {
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

  test('stands beside the claim of the same name by another project', async () => {
    const ours = await stored('shared.zoo.example');
    const theirs = await stored('shared.zoo.example', OTHERS);
    expect(await store.find('shared.zoo.example', 'zoo')).toEqual(ours);
    expect(await store.find('shared.zoo.example', 'farm')).toEqual(theirs);
    expect(await store.ownerOf('shared.zoo.example')).toBeUndefined();
  });

  test('succeeds for one of ten concurrent claims of one project', async () => {
    const claims = Array.from({ length: 10 }, (_, number) =>
      claimed({ domain: 'race.zoo.example', target: `label${number}.apps.petstore.example` }),
    );
    const outcomes = await Promise.allSettled(claims.map(claim => transact([store.claim(claim)])));
    const winners = claims.filter((_, number) => outcomes[number]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await store.find('race.zoo.example', 'zoo')).toEqual(winners[0]);
  });
});

test('save succeeds when a retry finds its own write committed, without a field that the table leaves out', async () => {
  const claim = await stored('lost.zoo.example', { takenDownAt: '2026-01-31T12:00:00.000Z' });
  const next = nextRevision({ ...claim, takenDownAt: undefined });
  await store.save(next);
  await store.save(next);
  expect(await store.find(next.domain, 'zoo')).not.toHaveProperty('takenDownAt');
});

test("change is refused where another has written the same: the rest of its transaction isn't written", async () => {
  const next = nextRevision({ ...(await stored('same.zoo.example')), message: 'Next.' });
  await store.save(next);
  await expect(transact(store.change(next))).rejects.toThrow(DomainChanged);
});

/** Both ways to write the next revision. */
const WRITES = [
  ['save', (next: Domain) => store.save(next)],
  ['change', (next: Domain) => transact(store.change(next))],
] as const;

describe.each(WRITES)('%s', (way, write) => {
  const name = (rest: string) => `${way}-${rest}.zoo.example`;

  test('writes the next revision', async () => {
    const next = nextRevision({ ...(await stored(name('next'))), message: 'Next.' });
    await write(next);
    expect(await store.find(next.domain, 'zoo')).toEqual({ ...next, revision: 2, message: 'Next.' });
  });

  test('is refused with DomainChanged where the same attempt was written by another', async () => {
    const claim = await stored(name('changed'));
    const theirs = nextRevision({ ...claim, message: 'Theirs.' });
    await write(theirs);
    const refusal = write(nextRevision({ ...claim, message: 'Ours.' }));
    await expect(refusal).rejects.toThrow(DomainChanged);
    await expect(refusal).rejects.toMatchObject({
      name: 'DomainChanged',
      message: `${claim.domain} was changed in the meantime.`,
    });
    expect(await store.find(claim.domain, 'zoo')).toEqual(theirs);
  });

  test('is refused with Superseded where another attempt has begun', async () => {
    const claim = await stored(name('superseded'));
    const theirs = nextRevision({ ...claim, status: 'removing', phase: 'removal', attempt: 2 });
    await write(theirs);
    const refusal = write(nextRevision({ ...claim, status: 'live' }));
    await expect(refusal).rejects.toThrow(Superseded);
    await expect(refusal).rejects.toMatchObject({
      name: 'Superseded',
      message: `The attempt 1 at ${claim.domain} is over.`,
    });
    expect(await store.find(claim.domain, 'zoo')).toEqual(theirs);
  });

  test('is refused with Superseded where the domain is gone, and does not bring it back', async () => {
    const claim = await stored(name('gone'));
    await store.forget(claim, AT_MS);
    await expect(write(nextRevision({ ...claim, status: 'live' }))).rejects.toThrow(Superseded);
    expect(await store.find(claim.domain, 'zoo')).toBeUndefined();
  });

  test('is refused with Superseded where the name was claimed anew, by the same attempt', async () => {
    const claim = await stored(name('anew'));
    await store.forget(claim, AT_MS);
    const anew = await stored(claim.domain, { target: OTHERS.target, revision: 5 });
    await expect(write(nextRevision({ ...claim, status: 'live' }))).rejects.toThrow(Superseded);
    expect(await store.find(claim.domain, 'zoo')).toEqual(anew);
  });
});

describe('saveProven', () => {
  /** The claims of one name by the projects zoo and farm, both about to pass the DNS phase. */
  async function contested(domain: string): Promise<[Domain, Domain]> {
    const claims = [await stored(domain), await stored(domain, OTHERS)];
    return claims.map(claim => nextRevision({ ...claim, status: 'issuing', phase: 'certificate' })) as [
      Domain,
      Domain,
    ];
  }

  test('writes the next revision and makes the project the owner', async () => {
    const [ours] = await contested('proven.zoo.example');
    await store.saveProven(ours);
    expect(await store.find(ours.domain, 'zoo')).toEqual(ours);
    expect(await store.ownerOf(ours.domain)).toBe('zoo');
    expect([await store.isOwner(ours), await store.isOwner({ ...ours, ...OTHERS })]).toEqual([true, false]);
  });

  test('is refused with DomainTaken for a second project, whose claim stays as it was', async () => {
    const [ours, theirs] = await contested('second.zoo.example');
    await store.saveProven(ours);
    const refusal = await store.saveProven(theirs).catch(error => error);
    expect(refusal).toBeInstanceOf(DomainTaken);
    expect(refusal.name).toBe('DomainTaken');
    expect(refusal.message).not.toContain('project zoo');
    expect(await store.find(theirs.domain, 'farm')).toMatchObject({ status: 'pending_dns', revision: 1 });
    expect(await store.ownerOf(ours.domain)).toBe('zoo');
  });

  test('makes one of two projects the owner that prove the name at once', async () => {
    const claims = await contested('photo-finish.zoo.example');
    const outcomes = await Promise.allSettled(claims.map(store.saveProven));
    const winners = claims.filter((_, number) => outcomes[number]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await store.ownerOf('photo-finish.zoo.example')).toBe(winners[0]?.project);
  });

  test('succeeds when the owner proves the name again', async () => {
    const [ours] = await contested('proven-again.zoo.example');
    await store.saveProven(ours);
    await store.saveProven(nextRevision(ours));
    expect(await store.ownerOf(ours.domain)).toBe('zoo');
  });

  test('is refused with Superseded, and makes no owner, where a removal has begun', async () => {
    const [ours] = await contested('proven-late.zoo.example');
    await store.save({ ...ours, status: 'removing', attempt: 2 });
    await expect(store.saveProven(ours)).rejects.toThrow(Superseded);
    expect(await store.ownerOf(ours.domain)).toBeUndefined();
  });
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

test('listOf gives the domains of a project, and those of no other', async () => {
  const ours = await Promise.all(
    ['two.farm.example', 'one.farm.example'].map(domain => stored(domain, { project: 'barn' })),
  );
  expect(await store.listOf('barn')).toEqual(ours.toReversed());
  expect(await store.listOf('nobody')).toEqual([]);
});

test('saveUnlessStale says whether the revision was written, and passes on an error that is not about that', async () => {
  const claim = await stored('stale.zoo.example');
  const theirs = nextRevision({ ...claim, message: 'Theirs.' });
  expect(await saveUnlessStale(store, theirs)).toBe(true);
  expect(await saveUnlessStale(store, nextRevision({ ...claim, message: 'Ours.' }))).toBe(false);
  await store.forget(theirs, AT_MS);
  expect(await saveUnlessStale(store, nextRevision(theirs))).toBe(false);
  const failing = { save: () => Promise.reject(new Error('no answer')) };
  await expect(saveUnlessStale(failing, theirs)).rejects.toThrow('no answer');
});

test('save passes on an error that is not about its condition', async () => {
  const unknown = domainStore('no-such-table');
  await expect(unknown.save(nextRevision(await stored('nowhere.zoo.example')))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
});

test('all gives all claims, and neither owners nor the slots that are kept in the same table', async () => {
  await store.saveProven(nextRevision(await stored('one-of.zoo.example')));
  await gatewaySlots(table).book();
  const claims = (await store.all()).map(({ domain, project }) => `${domain} ${project}`);
  expect(claims.filter(claim => claim.startsWith('one-of'))).toEqual(['one-of.zoo.example zoo']);
  expect(claims.filter(claim => claim.includes('#'))).toEqual([]);
});

/** The events of a name in the outbox. */
async function eventsOf(name: string): Promise<DomainEvent[]> {
  const pages = await Array.fromAsync(outbox(table).pages());
  return pages.flat().filter(({ domain }) => domain === name);
}

describe.each([...WRITES, ['saveProven', (next: Domain) => store.saveProven(next)]] as const)(
  '%s, for an event',
  (way, write) => {
    const name = (rest: string) => `${way.toLowerCase()}-event-${rest}.zoo.example`;

    test('puts the event of the change into the outbox', async () => {
      const next = nextRevision(
        failed(await stored(name('failed'), { status: 'verifying' }), OBSTACLE, AT_MS),
      );
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
      await expect(write(next)).rejects.toThrow(DomainChanged);
      expect(await eventsOf(next.domain)).toEqual([]);
    });
  },
);

test('events in the outbox are neither claims nor domains of a project', async () => {
  const next = nextRevision(
    failed(await stored('hidden.zoo.example', { status: 'verifying', project: 'byre' }), OBSTACLE, AT_MS),
  );
  await store.save(next);
  expect((await store.all()).filter(({ project }) => project === 'byre')).toEqual([next]);
  expect(await store.listOf('byre')).toEqual([next]);
});

describe('forget', () => {
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
    const forgets = [1, 2, 3].map(second => store.forget(domain, AT_MS + second * 1000));
    const outcomes = await Promise.allSettled(forgets);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(await store.find(domain.domain, 'zoo')).toBeUndefined();
    const events = await eventsOf(domain.domain);
    expect(events).toHaveLength(1);
    await outbox(table).remove(events);
    await expect(store.forget(domain, AT_MS + 9000)).rejects.toThrow(Superseded);
    expect(await eventsOf(domain.domain)).toEqual([]);
    expect(events).toMatchObject([{ ...removedEvent(domain, AT_MS), at: expect.any(String) }]);
  });
});

describe('the names of a project', () => {
  /** Stores a domain of a project that is proven. */
  async function proven(domain: string, project: string) {
    const next = nextRevision(await stored(domain, { project }));
    await store.saveProven(next);
    return next;
  }

  test('listOf leaves out the names of a project that are counted in the same table', async () => {
    const domain = await proven('proven.ranch.example', 'ranch');
    expect(await store.listOf('ranch')).toEqual([domain]);
  });

  test('noClaimsCheck is refused with the names that a project has, and passes for a project without any', async () => {
    await proven('b.stable.example', 'stable');
    expect(await transact([store.noClaimsCheck('empty')])).toBeUndefined();
    await expect(transact([store.noClaimsCheck('stable')])).rejects.toMatchObject({
      name: 'ProjectHasDomains',
      names: ['b.stable.example'],
      message: 'The project has the domains b.stable.example.',
    });
    await transact([store.unverifiedCount([claimed({ domain: 'a.stable.example', project: 'stable' })])]);
    await expect(transact([store.noClaimsCheck('stable')])).rejects.toMatchObject({
      names: ['a.stable.example', 'b.stable.example'],
      message: 'The project has the domains a.stable.example, b.stable.example.',
    });
  });

  test('unverifiedCount is refused with TooManyUnverified where a project has as many as it may have', async () => {
    for (let number = 1; number <= 20; number += 1) {
      await transact([
        store.unverifiedCount([claimed({ domain: `${number}.pond.example`, project: 'pond' })]),
      ]);
    }
    const further = store.unverifiedCount([claimed({ domain: 'more.pond.example', project: 'pond' })]);
    await expect(transact([further])).rejects.toMatchObject({ name: 'TooManyUnverified' });
  });
});

test('records that an earlier version kept for a removed name are not used again, and no obstacle', async () => {
  const item = { domain: 'former.zoo.example', project: '#former zoo', target: 'a.example', challenge: 'b' };
  const Item = Object.fromEntries(Object.entries(item).map(([name, S]) => [name, { S }]));
  const kept = { keptUntilMs: { N: String(AT_MS + 1000) } };
  await dynamoDb.send(new PutItemCommand({ TableName: table, Item: { ...Item, ...kept } }));
  expect(await store.formerRecords('former.zoo.example', 'zoo', AT_MS)).toBeUndefined();
});

test('the kept records of a name are used by one claim only', async () => {
  const name = 'once-kept.zoo.example';
  const removed = await stored(name);
  await store.forget(removed, AT_MS, AT_MS + 1000);
  const { target, challenge } = removed;
  expect(await store.formerRecords(name, 'zoo', AT_MS)).toEqual({ target, challenge });
  const again = claimed({ domain: name, target, challenge });
  await transact([store.formerRecordsUse(again)]);
  await expect(transact([store.formerRecordsUse(again)])).rejects.toThrow(DomainChanged);
  expect(await store.formerRecords(name, 'zoo', AT_MS)).toBeUndefined();
});
