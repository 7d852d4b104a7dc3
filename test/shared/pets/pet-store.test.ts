import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import type { Pet } from '../../../shared/pets/pet.ts';
import {
  type PetStatusChanges,
  type PetStore,
  petStatusChanges,
  petStore,
} from '../../../shared/pets/pet-store.ts';
import type { PetFilter } from '../../../shared/pets/pet-tables.ts';
import { shardOf } from '../../../shared/time-id.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import {
  always,
  type Fault,
  type FaultyEngine,
  faultyEngine,
  importedWith,
  pageCuttingEngine,
} from '../aws/faulty-engine.ts';
import { idsOver, matching, petsWith, putAll, rex, someFilter, walk } from './stored-pets.ts';

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

  test('finds and lists a pet that was added', async () => {
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

  test('finds nothing under an id without a pet', async () => {
    const { id } = await store.add(rex);
    for (const other of [id + 16n, id - 1n, 0n, -1n, 2n ** 63n - 1n, -(2n ** 63n)]) {
      expect(await store.find(other)).toBeUndefined();
    }
  });

  test('lists each pet that was there exactly once to a client that pages while others add', async () => {
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

  test('stores the pet, its keys and the write token, and nothing else', async () => {
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

  test('lists every pet once, in order of id, by any limit and filters', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 100 }), someFilter, async (limit, filter) => {
        expect(await walk(store, { limit, ...filter })).toEqual(present.filter(matching(filter)));
      }),
      {
        numRuns: 15,
        examples: [
          [1, {}],
          [1, { status: 'sold' }],
          [10, { status: 'sold' }],
          [30, {}],
          [29, {}],
        ],
      },
    );
  });

  test('lists the pets with every value that is asked for, by the index of the first one', async () => {
    const named: PetFilter & Partial<Pet> = { name: 'Luna' };
    const luna = { ...rex, name: 'Luna', status: 'sold', id: 2n * 8192n } as const;
    const table = await tableLike('PetsTable');
    await putAll(table, [
      ...petsWith([8192n, 4n * 8192n]),
      luna,
      { ...luna, id: 3n * 8192n, status: 'pending' },
    ]);
    const lunas = petStore(table, shards);
    expect(await lunas.list({ limit: 1, status: 'sold', ...named })).toEqual({
      elements: [luna],
      hasMore: false,
    });
    expect(await lunas.list({ limit: 1, ...named })).toEqual({ elements: [luna], hasMore: true });
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

test('old pets are still found and listed after the shards are raised from one to four', async () => {
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
});

describe.each([1, 2, 3, 4])('pages that are cut anywhere, with %i shards', shards => {
  test('give every pet once, in order of id, by any limit, status and size of the names', async () => {
    const table = await tableLike('PetsTable');
    const lengths = fc.sample(fc.integer({ min: 1, max: 255 }), 12);
    const present = petsWith(idsOver(shards, 12)).map((pet, place) => ({
      ...pet,
      name: 'x'.repeat(lengths[place] ?? 1),
    }));
    await putAll(table, present);
    const engine = await pageCuttingEngine();
    const { petStore: cutStore } = await engine.under(() => import('../../../shared/pets/pet-store.ts'));
    const store = cutStore(table, shards);
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 100 }),
        fc.constantFrom(undefined, 'available', 'sold'),
        fc.integer({ min: 1, max: 5000 }),
        async (limit, status, pageSize) => {
          engine.pageSize = pageSize;
          const expected = present.filter(pet => status === undefined || pet.status === status);
          expect(await walk(store, { limit, status })).toEqual(expected);
        },
      ),
      {
        numRuns: 6,
        examples: [
          [1, undefined, 1],
          [100, undefined, 1],
          [11, undefined, 300],
          [4, 'sold', 1],
        ],
      },
    );
    expect(engine.cuts).toBeGreaterThan(50);
  });
});

const THROTTLED: Fault = { status: 400, type: 'ProvisionedThroughputExceededException' };
const BROKEN: Fault = { status: 500, type: 'InternalServerError' };

describe('under faults', () => {
  let table: string;

  beforeEach(async () => {
    table = await tableLike('PetsTable');
  });

  /** A store whose clients use this endpoint, with this deadline if one is given. */
  async function storeAt(endpoint: string, deadlineMs?: number) {
    const module = await importedWith(endpoint, () => {
      if (deadlineMs !== undefined) vi.stubEnv('DYNAMODB_DEADLINE_MS', String(deadlineMs));
      return import('../../../shared/pets/pet-store.ts');
    });
    return module.petStore(table, 1);
  }

  /** All pets in the table, read without any injected fault. */
  function stored(): Promise<Pet[]> {
    return walk(petStore(table, 1), { limit: 100 });
  }

  const operations = ({ requests }: FaultyEngine) => requests.map(({ operation }) => operation);

  describe('a transient fault is retried', () => {
    test.each<[string, Fault[]]>([
      ['the response is lost', ['response lost']],
      ['the response is lost three times', ['response lost', 'response lost', 'response lost']],
      ['the response is cut short', ['response cut short']],
      ['the request is lost twice', ['request lost', 'request lost']],
      ['the engine is throttled', [THROTTLED, THROTTLED, THROTTLED]],
      ['the engine is broken', [BROKEN, 'response lost', BROKEN]],
    ])('add stores one pet and reports no conflict: %s', async (_, faults) => {
      const engine = await faultyEngine(faults);
      const store = await storeAt(engine.endpoint);
      const added = await store.add(rex);
      expect(await stored()).toEqual([added]);
      expect(operations(engine)).toEqual(Array(faults.length + 1).fill('PutItem'));
    });

    test('find does not wait for a response that stalls half-way', async () => {
      const added = await petStore(table, 1).add(rex);
      const engine = await faultyEngine(['response stalled']);
      // A busy machine takes longer than usual for the second attempt.
      const store = await storeAt(engine.endpoint, 10_000);
      expect(await store.find(added.id)).toEqual(added);
    });
  });

  describe('an id that is taken', () => {
    // The clock stands still, but close to the engine's: the SDK retries failures when the two clocks disagree.
    const NOW_MS = Date.now();
    const EPOCH_MS = Date.UTC(2025, 0, 1);
    /** Every id of one shard that can be drawn in this millisecond. */
    const idsOf = (timeMs: number) =>
      Array.from({ length: 512 }, (_, draw) => BigInt(timeMs - EPOCH_MS) * 8192n + BigInt(draw) * 16n);

    beforeEach(() => {
      vi.useFakeTimers({ toFake: ['Date'], now: NOW_MS });
    });

    afterEach(() => {
      vi.useRealTimers();
    });

    test('is not used: another one is drawn, and the pet that has it stays', async () => {
      const taken = petsWith(idsOf(NOW_MS));
      await putAll(table, taken);
      const engine = await faultyEngine();
      const store = await storeAt(engine.endpoint);
      const added = await store.add(rex);
      expect(idsOf(NOW_MS + 1)).toContain(added.id);
      expect(operations(engine)).toEqual(['PutItem', 'PutItem']);
      expect(await stored()).toEqual([...taken, added]);
    });

    test('leads to Unavailable when it happens eight times in a row', async () => {
      const engine = await faultyEngine(always({ status: 400, type: 'ConditionalCheckFailedException' }));
      const store = await storeAt(engine.endpoint);
      await expect(store.add(rex)).rejects.toMatchObject({
        name: 'Unavailable',
        message: 'Each of 8 ids drawn was taken.',
      });
      expect(engine.requests).toHaveLength(8);
      expect(await stored()).toEqual([]);
    });
  });
});

describe.each([1, 16])('a status change with %i shards', shards => {
  let pets: PetStore;
  let changes: PetStatusChanges;

  beforeEach(async () => {
    const table = await tableLike('PetsTable');
    pets = petStore(table, shards);
    changes = petStatusChanges(table);
  });

  test('lists the pet under its new status, and no longer under the old one', async () => {
    const pet = await pets.add(rex);
    await transact([changes.statusChange(pet.id, 'available', 'pending')]);
    const pending = { ...pet, status: 'pending' };
    expect(await pets.find(pet.id)).toEqual(pending);
    expect(await pets.list({ limit: 5 })).toEqual({ elements: [pending], hasMore: false });
    expect(await pets.list({ limit: 5, status: 'pending' })).toEqual({ elements: [pending], hasMore: false });
    expect(await pets.list({ limit: 5, status: 'available' })).toEqual({ elements: [], hasMore: false });
  });

  test('is refused with PetNotAsExpected for a pet with another status, which it keeps', async () => {
    const pet = await pets.add({ ...rex, status: 'sold' });
    const change = transact([changes.statusChange(pet.id, 'available', 'pending')]);
    await expect(change).rejects.toMatchObject({
      name: 'PetNotAsExpected',
      message: `Pet ${pet.id} is sold, not available.`,
      isUnknown: false,
    });
    expect(await pets.find(pet.id)).toEqual(pet);
  });

  test('is refused with PetNotAsExpected for an unknown pet, and adds none', async () => {
    for (const id of [1n, 2n ** 53n - 1n]) {
      const change = transact([changes.statusChange(id, 'available', 'pending')]);
      await expect(change).rejects.toMatchObject({ message: `Pet ${id} doesn't exist.`, isUnknown: true });
    }
    expect(await pets.list({ limit: 5 })).toEqual({ elements: [], hasMore: false });
  });
});
