import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { pageCuttingEngine } from '../aws/page-cutting-engine.ts';
import { idsOver, petsWith, putAll, rex, walk } from './stored-pets.ts';

/** The largest name that was accepted when white space around a name was not counted. */
const LARGEST_OLD_NAME = `${' '.repeat(16_000)}Rex`;

test('a page goes on where DynamoDB ends a Query after 1 MB', async () => {
  const table = await tableLike('PetsTable');
  const large = petsWith(idsOver(1, 80)).map(pet => ({ ...pet, name: LARGEST_OLD_NAME }));
  await putAll(table, large);
  const store = petStore(table, 1);
  expect(await store.list({ limit: 100 })).toEqual({ elements: large, hasMore: false });
  const later = await store.add(rex);
  expect(await walk(store, { limit: 75 })).toEqual([...large, later]);
});

describe.each([1, 2, 3, 4])('pages that are cut anywhere, with %i shards', shards => {
  const STATUSES = [undefined, 'available', 'sold'] as const;

  test('give every animal once, in order of id, by any limit, status and size of the names', async () => {
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
        fc.constantFrom(...STATUSES),
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
