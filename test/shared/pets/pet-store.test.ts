import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import type { Pet } from '../../../shared/pets/pet.ts';
import { shardOf } from '../../../shared/pets/pet-id.ts';
import { type PetStore, petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';
import { idsOver, petsWith, putAll, rex, walk } from './stored-pets.ts';

const STATUSES = [undefined, 'available', 'pending', 'sold'] as const;
const ids = (pets: readonly Pet[]) => pets.map(({ id }) => id);
const ascending = (left: bigint, right: bigint) => (left < right ? -1 : 1);

describe.each([1, 4])('with %i shards', shards => {
  let table: string;
  let store: PetStore;

  beforeEach(async () => {
    table = await tableLike('PetsTable');
    store = petStore(table, shards);
  });

  test('finds and lists an animal that was added', async () => {
    const added = await store.add({ ...rex, status: 'pending' });
    expect(added).toEqual({ ...rex, status: 'pending', id: expect.any(BigInt) });
    expect(await store.find(added.id)).toEqual(added);
    expect(await store.list({ limit: 20 })).toEqual({ elements: [added], hasMore: false });
    expect(await store.list({ limit: 20, status: 'pending' })).toEqual({ elements: [added], hasMore: false });
    expect(await store.list({ limit: 20, status: 'sold' })).toEqual({ elements: [], hasMore: false });
  });

  test.each([
    ['the largest category', { ...rex, categoryId: 2n ** 63n - 1n }],
    ['the smallest category', { ...rex, categoryId: -(2n ** 63n) }],
    ['a name of 255 emoji', { ...rex, name: '🐕'.repeat(255) }],
    ['a name with spaces around it', { ...rex, name: ' Rex ' }],
  ])('returns %s as it was added', async (_, newPet) => {
    const added = await store.add(newPet);
    expect(await store.find(added.id)).toEqual({ ...newPet, id: added.id });
  });

  test('finds nothing under an id without an animal', async () => {
    const { id } = await store.add(rex);
    for (const other of [id + 16n, id - 1n, 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(await store.find(other)).toBeUndefined();
    }
  });

  test('lists an empty table as one empty page', async () => {
    for (const status of STATUSES) {
      expect(await store.list({ limit: 1, status })).toEqual({ elements: [], hasMore: false });
    }
  });

  test('announces no further page after the last animal', async () => {
    await putAll(table, petsWith(idsOver(shards, 6)));
    expect(await store.list({ limit: 5 })).toMatchObject({ hasMore: true });
    expect(await store.list({ limit: 6 })).toMatchObject({ hasMore: false });
    expect(await store.list({ limit: 2, status: 'sold' })).toMatchObject({ hasMore: false });
    const last = idsOver(shards, 6).at(-1);
    expect(await store.list({ limit: 6, after: last })).toEqual({ elements: [], hasMore: false });
  });

  test('gives every animal its own id when eight clients add concurrently', async () => {
    const adders = Array.from({ length: 8 }, () => petStore(table, shards));
    const added = await Promise.all(
      adders.map(async adder => {
        const own: Pet[] = [];
        for (let round = 0; round < 10; round += 1) own.push(await adder.add(rex));
        return own;
      }),
    );
    expect(new Set(ids(added.flat())).size).toBe(80);
    expect(
      added.every(own => ids(own).every((id, place) => place === 0 || id > (ids(own)[place - 1] ?? id))),
    ).toBe(true);
    expect(ids(await walk(store, { limit: 100 }))).toEqual(ids(added.flat()).toSorted(ascending));
  });

  test('lists each animal that was there exactly once to a client that pages while others add', async () => {
    const present = petsWith(idsOver(shards, 40));
    await putAll(table, present);
    let isWalking = true;
    const adding = [petStore(table, shards), petStore(table, shards)].map(async adder => {
      for (let count = 0; isWalking && count < 25; count += 1) await adder.add(rex);
    });
    const met = await walk(store, { limit: 3 });
    isWalking = false;
    await Promise.all(adding);
    expect(ids(met)).toEqual(ids(met).toSorted(ascending));
    expect(new Set(ids(met)).size).toBe(met.length);
    expect(met.slice(0, 40)).toEqual(present);
    expect(met.length).toBeGreaterThan(40);
  });

  test('stores the animal, its keys and the write token, and nothing else', async () => {
    const { id } = await store.add(rex);
    const Key = { shard: { N: String(shardOf(id)) }, id: { N: String(id) } };
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key }));
    expect(Item).toEqual({
      ...Key,
      name: { S: 'Rex' },
      categoryId: { N: '7' },
      status: { S: 'available' },
      statusShard: { S: `available#${shardOf(id)}` },
      writeToken: { S: expect.stringMatching(/^[0-9a-f-]{36}$/) },
    });
  });
});

describe.each([1, 4])('paging through %i shards', shards => {
  const present = petsWith(idsOver(shards, 30));
  let store: PetStore;

  beforeAll(async () => {
    const table = await tableLike('PetsTable');
    await putAll(table, present);
    store = petStore(table, shards);
  });

  test('lists every animal once, in order of id, by any limit and status', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(...STATUSES),
        async (limit, status) => {
          const expected = present.filter(pet => status === undefined || pet.status === status);
          expect(await walk(store, { limit, status })).toEqual(expected);
        },
      ),
      {
        numRuns: 15,
        examples: [
          [1, undefined],
          [1, 'sold'],
          [10, 'sold'],
          [30, undefined],
          [29, undefined],
        ],
      },
    );
  });

  test('lists what follows any id', async () => {
    const place = fc.bigInt({ min: 0n, max: 31n * 8192n });
    await fc.assert(
      fc.asyncProperty(place, fc.integer({ min: 1, max: 100 }), async (after, limit) => {
        const expected = present.filter(({ id }) => id > after);
        expect(await store.list({ limit, after })).toEqual({
          elements: expected.slice(0, limit),
          hasMore: expected.length > limit,
        });
      }),
      { numRuns: 15 },
    );
  });
});

test('old animals are still found and listed after the shards are raised from one to four', async () => {
  const table = await tableLike('PetsTable');
  const before = petStore(table, 1);
  const old = [await before.add(rex), await before.add({ ...rex, status: 'sold' }), await before.add(rex)];
  const after = petStore(table, 4);
  const young: Pet[] = [];
  for (let count = 0; count < 20; count += 1) young.push(await after.add(rex));
  expect(new Set(young.map(({ id }) => shardOf(id))).size).toBeGreaterThan(1);
  for (const pet of [...old, ...young]) expect(await after.find(pet.id)).toEqual(pet);
  expect(ids(await walk(after, { limit: 3 }))).toEqual([...ids(old), ...ids(young)].toSorted(ascending));
  expect(await after.list({ limit: 20, status: 'sold' })).toEqual({ elements: [old[1]], hasMore: false });
});

describe('the cost', () => {
  async function observed(shards: number) {
    const table = await tableLike('PetsTable');
    const engine = await faultyEngine();
    const { petStore: observedStore } = await engine.under(() => import('../../../shared/pets/pet-store.ts'));
    return { table, engine, store: observedStore(table, shards) };
  }

  test.each([1, 4])('of get and of create is one call, with %i shards', async shards => {
    const { engine, store } = await observed(shards);
    const { id } = await store.add(rex);
    await store.find(id);
    expect(engine.requests.map(({ operation }) => operation)).toEqual(['PutItem', 'GetItem']);
    expect(engine.requests[1]?.input).toMatchObject({ ConsistentRead: true });
  });

  test.each([1, 4])(
    'of a page is one Query for each of %i shards, of one item more than the limit',
    async shards => {
      const { table, engine, store } = await observed(shards);
      await putAll(table, petsWith(idsOver(shards, 60)));
      for (const status of STATUSES) await store.list({ limit: 10, status, after: 8192n });
      expect(engine.requests).toHaveLength(STATUSES.length * shards);
      for (const { operation, input } of engine.requests) {
        expect(operation).toBe('Query');
        expect(input.Limit).toBe(11);
        expect(input).not.toHaveProperty('FilterExpression');
      }
    },
  );

  test('of a page is the same among 500 animals as among 50', async () => {
    async function pageCosts(count: number): Promise<number[]> {
      const { table, engine, store } = await observed(1);
      await putAll(table, petsWith(idsOver(1, count)));
      await store.list({ limit: 10 });
      await store.list({ limit: 10, after: 8192n * 20n });
      await store.list({ limit: 10, status: 'sold' });
      return engine.requests.map(({ consumed }) => consumed);
    }
    const costs = await pageCosts(50);
    expect(costs).toEqual([0.5, 0.5, 0.5]);
    expect(await pageCosts(500)).toEqual(costs);
  });
});
