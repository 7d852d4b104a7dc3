import { beforeAll, describe, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { gatewaySlots } from '../../../../shared/domains/aws/gateway-slots.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import {
  DomainChanged,
  type DomainStore,
  DomainTaken,
  domainStore,
  Superseded,
} from '../../../../shared/domains/life/domain-store.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, claimed } from '../claimed-domain.ts';

let table: string;
let store: DomainStore;
beforeAll(async () => {
  table = await tableLike('DomainsTable');
  store = domainStore(table);
});

/** A claim of its own for a test, under this name. */
async function stored(domain: string, news: Partial<Domain> = {}): Promise<Domain> {
  const claim = claimed({ domain, ...news });
  await transact([store.claim(claim)]);
  return claim;
}

const OTHERS = { target: 'ffffffffffffffffffff.apps.petstore.example', project: 'farm' };

describe('a claim', () => {
  test('is found as it was made; a name that nobody has claimed is not', async () => {
    const claim = await stored('a.zoo.example');
    expect(await store.find('a.zoo.example')).toEqual(claim);
    expect(await store.find('b.zoo.example')).toBeUndefined();
  });

  test('of a name that belongs to someone is refused with the owner', async () => {
    const owner = await stored('taken.zoo.example');
    const refusal = await transact([store.claim({ ...owner, ...OTHERS })]).catch(error => error);
    expect(refusal).toBeInstanceOf(DomainTaken);
    expect(refusal).toMatchObject({
      owner,
      message: 'taken.zoo.example is a domain of the project zoo.',
    });
    expect(await store.find('taken.zoo.example')).toEqual(owner);
  });

  test('that is made again, after a lost answer, is no conflict and undoes nothing', async () => {
    const claim = await stored('again.zoo.example');
    const verified = nextRevision(claim, { status: 'verifying', attempt: 2 });
    await store.save(verified);
    await transact([store.claim(claim)]);
    expect(await store.find('again.zoo.example')).toEqual(verified);
  });

  test('of ten at once is one', async () => {
    const claims = Array.from({ length: 10 }, (_, number) =>
      claimed({ domain: 'race.zoo.example', target: `label${number}.apps.petstore.example` }),
    );
    const outcomes = await Promise.allSettled(claims.map(claim => transact([store.claim(claim)])));
    const winners = claims.filter((_, number) => outcomes[number]?.status === 'fulfilled');
    expect(winners).toHaveLength(1);
    expect(await store.find('race.zoo.example')).toEqual(winners[0]);
  });
});

/** The two ways to write the next revision. */
const WRITES = [
  ['save', (next: Domain) => store.save(next)],
  ['change', (next: Domain) => transact([store.change(next)])],
] as const;

describe.each(WRITES)('%s', (way, write) => {
  const name = (rest: string) => `${way}-${rest}.zoo.example`;

  test('writes the next revision', async () => {
    const next = nextRevision(await stored(name('next')), { message: 'Next.' });
    await write(next);
    expect(await store.find(next.domain)).toEqual({ ...next, revision: 2, message: 'Next.' });
  });

  test('again, after a lost answer, is no conflict', async () => {
    const next = nextRevision(await stored(name('lost')), { message: 'Next.' });
    await write(next);
    await write(next);
    expect(await store.find(next.domain)).toEqual(next);
  });

  test('is refused with DomainChanged where the same attempt was written by another', async () => {
    const claim = await stored(name('changed'));
    const theirs = nextRevision(claim, { message: 'Theirs.' });
    await write(theirs);
    await expect(write(nextRevision(claim, { message: 'Ours.' }))).rejects.toThrow(DomainChanged);
    expect(await store.find(claim.domain)).toEqual(theirs);
  });

  test('is refused with Superseded where another attempt has begun', async () => {
    const claim = await stored(name('superseded'));
    const theirs = nextRevision(claim, { status: 'removing', attempt: 2 });
    await write(theirs);
    await expect(write(nextRevision(claim, { status: 'live' }))).rejects.toThrow(Superseded);
    expect(await store.find(claim.domain)).toEqual(theirs);
  });

  test('is refused with Superseded where the domain is gone, which it stays', async () => {
    const claim = await stored(name('gone'));
    await store.forget(claim);
    await expect(write(nextRevision(claim, { status: 'live' }))).rejects.toThrow(Superseded);
    expect(await store.find(claim.domain)).toBeUndefined();
  });

  test('is refused with Superseded where the name was claimed anew, by the same attempt', async () => {
    const claim = await stored(name('anew'));
    await store.forget(claim);
    const anew = await stored(claim.domain, { ...OTHERS, revision: 5 });
    await expect(write(nextRevision(claim, { status: 'live' }))).rejects.toThrow(Superseded);
    expect(await store.find(claim.domain)).toEqual(anew);
  });
});

describe('forget', () => {
  test('leaves nothing, and may be repeated', async () => {
    const domain = await stored('forgotten.zoo.example', { attempt: 3 });
    await store.forget(domain);
    await store.forget(domain);
    expect(await store.find(domain.domain)).toBeUndefined();
  });

  test('is refused with Superseded where another attempt has begun', async () => {
    const domain = await stored('kept.zoo.example');
    const verified = nextRevision(domain, { attempt: 2 });
    await store.save(verified);
    await expect(store.forget(domain)).rejects.toThrow(Superseded);
    expect(await store.find(domain.domain)).toEqual(verified);
  });
});

test('the domains of a project are listed, and those of no other', async () => {
  const ours = await Promise.all(
    ['two.farm.example', 'one.farm.example'].map(domain => stored(domain, { project: 'barn' })),
  );
  expect(await store.listOf('barn')).toEqual(ours.toReversed());
  expect(await store.listOf('nobody')).toEqual([]);
});

test('all are all domains, and not the turns that are kept beside them', async () => {
  await stored('one-of.zoo.example');
  await gatewaySlots(table).book(AT_MS);
  const names = (await store.all()).map(({ domain }) => domain);
  expect(names).toContain('one-of.zoo.example');
  expect(names).not.toContain('#slots');
});
