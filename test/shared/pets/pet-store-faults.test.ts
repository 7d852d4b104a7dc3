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

async function storeAt(endpoint: string) {
  const module = await importedWith(endpoint, () => import('../../../shared/pets/pet-store.ts'));
  return module.petStore(table, 1);
}

/** All animals in the table, by a way that no fault is on. */
function stored(): Promise<Pet[]> {
  return walk(petStore(table, 1), { limit: 100 });
}

const operations = ({ requests }: FaultyEngine) => requests.map(({ operation }) => operation);

describe('a fault is outlasted', () => {
  test.each<[string, Fault[]]>([
    ['the answer to our own put is lost', ['answer lost']],
    ['it is lost three times', ['answer lost', 'answer lost', 'answer lost']],
    ['it is cut short', ['answer cut short']],
    ['the put is lost', ['request lost', 'request lost']],
    ['the engine is throttled', [THROTTLED, THROTTLED, THROTTLED]],
    ['the engine is broken', [BROKEN, 'answer lost', BROKEN]],
  ])('%s: one animal, and no conflict', async (_, faults) => {
    const engine = await faultyEngine(faults);
    const store = await storeAt(engine.endpoint);
    const added = await store.add(rex);
    expect(await stored()).toEqual([added]);
    expect(operations(engine)).toEqual(Array(faults.length + 1).fill('PutItem'));
  });

  test('find and list are asked again', async () => {
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

  test('an answer that stops half-way is not waited for', async () => {
    const added = await petStore(table, 1).add(rex);
    const engine = await faultyEngine(['answer stalled']);
    const store = await storeAt(engine.endpoint);
    expect(await store.find(added.id)).toEqual(added);
  });

  test('with every fourth request failing, 300 animals are added, each once', async () => {
    const engine = await faultyEngine(everyFourth('answer lost', 'request lost', BROKEN, 'answer cut short'));
    const store = await storeAt(engine.endpoint);
    const added: Pet[] = [];
    const adders = Array.from({ length: 10 }, async () => {
      for (let round = 0; round < 30; round += 1) added.push(await store.add(rex));
    });
    await Promise.all(adders);
    expect(added).toHaveLength(300);
    const byId = added.toSorted((left, right) => (left.id < right.id ? -1 : 1));
    expect(await stored()).toEqual(byId);
    expect(engine.requests.length).toBeGreaterThanOrEqual(399);
  });
});

describe('503: Unavailable in under 5 s', () => {
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

  test('an engine that is not there', async () => {
    const store = await storeAt('http://127.0.0.1:1');
    const { error, tookMs } = await outcomeInFastTime(() => store.add(rex));
    expect(error).toEqual(UNAVAILABLE);
    expect(tookMs).toBeLessThan(5000);
  });
});

test('a mistake of ours is no outage and is not repeated', async () => {
  const engine = await faultyEngine(always({ status: 400, type: 'ValidationException' }));
  const store = await storeAt(engine.endpoint);
  await expect(store.add(rex)).rejects.toMatchObject({ name: 'ValidationException' });
  expect(operations(engine)).toEqual(['PutItem']);
});

describe('an id that is taken', () => {
  // The clock stands, but not far from the engine's: the SDK repeats what fails while the two disagree.
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

  test('is drawn again, and its animal stays', async () => {
    const taken = petsWith(idsOf(NOW_MS));
    await putAll(table, taken);
    const engine = await faultyEngine();
    const store = await storeAt(engine.endpoint);
    const added = await store.add(rex);
    expect(idsOf(NOW_MS + 1)).toContain(added.id);
    expect(operations(engine)).toEqual(['PutItem', 'PutItem']);
    expect(await stored()).toEqual([...taken, added]);
  });

  test('503: eight times in a row', async () => {
    const engine = await faultyEngine(always({ status: 400, type: 'ConditionalCheckFailedException' }));
    const store = await storeAt(engine.endpoint);
    await expect(store.add(rex)).rejects.toEqual(UNAVAILABLE);
    expect(engine.requests).toHaveLength(8);
    expect(await stored()).toEqual([]);
  });
});
