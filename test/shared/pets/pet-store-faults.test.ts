import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Pet } from '../../../shared/pets/pet.ts';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import {
  always,
  everyFourth,
  type Fault,
  type FaultyEngine,
  faultyEngine,
  importedWith,
} from '../aws/faulty-engine.ts';
import { petsWith, putAll, rex, walk } from './stored-pets.ts';

const THROTTLED: Fault = { status: 400, type: 'ProvisionedThroughputExceededException' };
const BROKEN: Fault = { status: 500, type: 'InternalServerError' };
const UNAVAILABLE = expect.objectContaining({ name: 'Unavailable' });

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

/** All animals in the table, read without any injected fault. */
function stored(): Promise<Pet[]> {
  return walk(petStore(table, 1), { limit: 100 });
}

const operations = ({ requests }: FaultyEngine) => requests.map(({ operation }) => operation);

describe('a transient fault is retried', () => {
  test.each<[string, Fault[]]>([
    ['the answer is lost', ['answer lost']],
    ['the answer is lost three times', ['answer lost', 'answer lost', 'answer lost']],
    ['the answer is cut short', ['answer cut short']],
    ['the request is lost twice', ['request lost', 'request lost']],
    ['the engine is throttled', [THROTTLED, THROTTLED, THROTTLED]],
    ['the engine is broken', [BROKEN, 'answer lost', BROKEN]],
  ])('add stores one animal and reports no conflict: %s', async (_, faults) => {
    const engine = await faultyEngine(faults);
    const store = await storeAt(engine.endpoint);
    const added = await store.add(rex);
    expect(await stored()).toEqual([added]);
    expect(operations(engine)).toEqual(Array(faults.length + 1).fill('PutItem'));
  });

  test('find and list are retried', async () => {
    const added = await petStore(table, 1).add(rex);
    const engine = await faultyEngine([
      THROTTLED,
      'answer lost',
      'request lost',
      undefined,
      'answer cut short',
      BROKEN,
    ]);
    const store = await storeAt(engine.endpoint);
    expect(await store.find(added.id)).toEqual(added);
    expect(await store.list({ limit: 5 })).toEqual({ elements: [added], hasMore: false });
    expect(operations(engine)).toEqual([...Array(4).fill('GetItem'), ...Array(3).fill('Query')]);
  });

  test('find does not wait for an answer that stalls half-way', async () => {
    const added = await petStore(table, 1).add(rex);
    const engine = await faultyEngine(['answer stalled']);
    // A busy machine takes longer than usual for the second attempt.
    const store = await storeAt(engine.endpoint, 10_000);
    expect(await store.find(added.id)).toEqual(added);
  });

  test('add stores each of 100 animals once while every fourth request fails', async () => {
    const faults = everyFourth('answer lost', 'request lost', BROKEN, 'answer cut short').take(400);
    const engine = await faultyEngine(faults.toArray());
    const store = await storeAt(engine.endpoint);
    const added: Pet[] = [];
    const adders = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 10; round += 1) added.push(await store.add(rex));
    });
    await Promise.all(adders);
    expect(added).toHaveLength(100);
    const byId = added.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    expect(await stored()).toEqual(byId);
    expect(engine.requests.length).toBeGreaterThanOrEqual(133);
  });
});

describe('Unavailable is thrown within 5 s by', () => {
  test.each<[string, Fault]>([
    ['an engine that never answers', 'no answer'],
    ['an engine that loses every answer', 'answer lost'],
    ['an engine that throttles for good', THROTTLED],
    ['an engine that is broken for good', BROKEN],
  ])('%s', async (_, fault) => {
    const engine = await faultyEngine(always(fault));
    const store = await storeAt(engine.endpoint);
    for (const work of [() => store.add(rex), () => store.find(1n), () => store.list({ limit: 5 })]) {
      const { error, tookMs } = await outcomeInFastTime(work, engine);
      expect(error).toEqual(UNAVAILABLE);
      expect(tookMs).toBeLessThan(5000);
    }
  });

  test('an engine that cannot be reached', async () => {
    const store = await storeAt('http://127.0.0.1:1');
    const { error, tookMs } = await outcomeInFastTime(() => store.add(rex));
    expect(error).toEqual(UNAVAILABLE);
    expect(tookMs).toBeLessThan(5000);
  });
});

test('a rejected request is neither Unavailable nor retried', async () => {
  const engine = await faultyEngine(always({ status: 400, type: 'ValidationException' }));
  const store = await storeAt(engine.endpoint);
  await expect(store.add(rex)).rejects.toMatchObject({ name: 'ValidationException' });
  expect(operations(engine)).toEqual(['PutItem']);
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

  test('is not used: another one is drawn, and the animal that has it stays', async () => {
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
