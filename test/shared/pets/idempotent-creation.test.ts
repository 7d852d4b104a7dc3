import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { type Creations, creations } from '../../../shared/pets/idempotent-creation.ts';
import type { Pet } from '../../../shared/pets/pet.ts';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always, type Fault, faultyEngine } from '../aws/faulty-engine.ts';
import { petsWith, putAll, rex, walk } from './stored-pets.ts';

const REQUEST = { caller: 'key_a', idempotencyKey: 'k1' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** The reasons by which the engine refuses a transaction whose memory is already there. */
function ownMemory(input: Record<string, unknown>): unknown {
  const [{ Put }] = input.TransactItems as [{ Put: { Item: unknown } }];
  return [{ Code: 'ConditionalCheckFailed', Item: Put.Item }, { Code: 'None' }];
}

let tables: { pets: string; creations: string };

beforeEach(async () => {
  const [pets, memory] = await Promise.all([tableLike('PetsTable'), tableLike('PetsCreations')]);
  tables = { pets, creations: memory };
});

/** All animals in the table, by a way that no fault is on. */
function stored(): Promise<Pet[]> {
  return walk(petStore(tables.pets, 16), { limit: 100 });
}

async function behindFaults(faults: Iterable<Fault>) {
  const engine = await faultyEngine(faults);
  const module = await engine.under(() => import('../../../shared/pets/idempotent-creation.ts'));
  return { engine, store: module.creations(tables, 1) };
}

describe.each([1, 4])('with %i shards', shards => {
  let store: Creations;

  beforeEach(() => {
    store = creations(tables, shards);
  });

  test('the first request creates, every further one gets the same animal', async () => {
    const first = await store.addOnce(REQUEST, rex);
    expect(first).toEqual({ outcome: 'created', pet: { ...rex, id: expect.any(BigInt) } });
    for (const repeater of [store, creations(tables, shards)]) {
      expect(await repeater.addOnce(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    }
    expect(await stored()).toEqual([(first as { pet: Pet }).pet]);
  });

  test.each([
    ['name', { ...rex, name: 'Max' }],
    ['categoryId', { ...rex, categoryId: 8n }],
    ['status', { ...rex, status: 'sold' as const }],
  ])('another %s under the same key is a mismatch', async (_, other) => {
    const first = await store.addOnce(REQUEST, rex);
    expect(await store.addOnce(REQUEST, other)).toEqual({ outcome: 'mismatch' });
    expect(await store.addOnce(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    expect(await stored()).toHaveLength(1);
  });

  test('twelve at once: one animal, created once', async () => {
    const copies = Array.from({ length: 12 }, () => creations(tables, shards).addOnce(REQUEST, rex));
    const outcomes = await Promise.all(copies);
    const pets = await stored();
    expect(pets).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'created')).toHaveLength(1);
    expect(outcomes.filter(({ outcome }) => outcome === 'replayed')).toHaveLength(11);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ pet: pets[0] });
  });

  test('twelve at once with two bodies: one animal, and the others are mismatches', async () => {
    const copies = Array.from({ length: 12 }, (_, copy) =>
      creations(tables, shards).addOnce(REQUEST, copy % 2 === 0 ? rex : { ...rex, name: 'Max' }),
    );
    const outcomes = (await Promise.all(copies)).map(({ outcome }) => outcome).toSorted();
    expect(outcomes).toEqual(['created', ...Array(6).fill('mismatch'), ...Array(5).fill('replayed')]);
    expect(await stored()).toHaveLength(1);
  });
});

test('the same key of another caller, and another key, are other requests', async () => {
  const store = creations(tables, 1);
  for (const request of [REQUEST, { ...REQUEST, caller: 'key_b' }, { ...REQUEST, idempotencyKey: 'k2' }]) {
    expect(await store.addOnce(request, rex)).toMatchObject({ outcome: 'created' });
  }
  expect(await stored()).toHaveLength(3);
});

test.each(['🐕'.repeat(255), '#', 'key_b#k1', ' '])('%s can be a key', async idempotencyKey => {
  const store = creations(tables, 1);
  expect(await store.addOnce({ ...REQUEST, idempotencyKey }, rex)).toMatchObject({ outcome: 'created' });
  expect(await store.addOnce({ ...REQUEST, idempotencyKey }, rex)).toMatchObject({ outcome: 'replayed' });
});

describe('the memory', () => {
  test('lasts 24 hours and not longer, whether DynamoDB has removed it or not', async () => {
    // Whole seconds, as DynamoDB counts them.
    const startMs = Math.floor(Date.now() / 1000) * 1000;
    let nowMs = startMs;
    const store = creations(tables, 1, () => nowMs);
    const first = await store.addOnce(REQUEST, rex);
    nowMs = startMs + DAY_MS - 1;
    expect(await store.addOnce(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    nowMs = startMs + DAY_MS;
    const second = await store.addOnce(REQUEST, { ...rex, name: 'Max' });
    expect(second).toMatchObject({ outcome: 'created', pet: { name: 'Max' } });
    nowMs = startMs + 2 * DAY_MS - 1;
    expect(await store.addOnce(REQUEST, rex)).toEqual({ outcome: 'mismatch' });
    expect(await stored()).toHaveLength(2);
  });

  test('says when DynamoDB may remove it', async () => {
    const nowMs = Date.now();
    await creations(tables, 1, () => nowMs).addOnce(REQUEST, rex);
    const Key = { request: { S: 'key_a#k1' } };
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: tables.creations, Key }));
    expect(Item?.expiresAt).toEqual({ N: String(Math.floor(nowMs / 1000) + 86_400) });
  });
});

describe('faults', () => {
  const canceledBy = (...codes: string[]): Fault => ({
    status: 400,
    type: 'TransactionCanceledException',
    CancellationReasons: codes.map(Code => ({ Code })),
  });
  const CONFLICT = canceledBy('TransactionConflict', 'None');

  test.each<[string, Fault[]]>([
    ['the answer of our own transaction is lost', ['answer lost']],
    ['it is lost three times', ['answer lost', 'answer lost', 'answer lost']],
    ['it is cut short', ['answer cut short']],
    ['the transaction is lost', ['request lost', 'request lost']],
    ['two conflicts with another transaction', [CONFLICT, CONFLICT]],
    ['a conflict over the animal', [canceledBy('None', 'TransactionConflict')]],
    ['a throttled transaction', [canceledBy('ThrottlingError', 'None'), 'answer lost']],
    [
      'the transaction is still being written',
      ['answer lost', { status: 400, type: 'TransactionInProgressException' }],
    ],
    ['the engine is throttled', [{ status: 400, type: 'ProvisionedThroughputExceededException' }]],
  ])('%s: created, one animal', async (_, faults) => {
    const { store } = await behindFaults(faults);
    const creation = await store.addOnce(REQUEST, rex);
    expect(creation).toMatchObject({ outcome: 'created' });
    expect(await stored()).toEqual([(creation as { pet: Pet }).pet]);
    expect(await store.addOnce(REQUEST, rex)).toEqual({ ...creation, outcome: 'replayed' });
  });

  test('our own memory as the reason of a refusal: created', async () => {
    // What the engine says of a repeated transaction that it does not recognise as the same.
    const refusal = { status: 400, type: 'TransactionCanceledException' };
    const engine = await faultyEngine([
      'answer lost',
      input => ({ ...refusal, CancellationReasons: ownMemory(input) }),
    ]);
    const module = await engine.under(() => import('../../../shared/pets/idempotent-creation.ts'));
    const creation = await module.creations(tables, 1).addOnce(REQUEST, rex);
    expect(creation).toMatchObject({ outcome: 'created' });
    expect(await stored()).toEqual([(creation as { pet: Pet }).pet]);
  });

  test('a crash before the request is out leaves nothing', async () => {
    const { engine, store } = await behindFaults(always('request lost'));
    const { error, tookMs } = await outcomeInFastTime(() => store.addOnce(REQUEST, rex), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(tookMs).toBeLessThan(5000);
    expect(await stored()).toEqual([]);
    expect(await creations(tables, 1).addOnce(REQUEST, rex)).toMatchObject({ outcome: 'created' });
  });

  test('a crash after the request is out leaves the animal and its memory', async () => {
    const { engine, store } = await behindFaults(always('answer lost'));
    const { error } = await outcomeInFastTime(() => store.addOnce(REQUEST, rex), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    const [pet, ...more] = await stored();
    expect(more).toEqual([]);
    expect(await creations(tables, 1).addOnce(REQUEST, rex)).toEqual({ outcome: 'replayed', pet });
  });

  test('503: conflicts without end', async () => {
    const { engine, store } = await behindFaults(always(CONFLICT));
    const { error, tookMs } = await outcomeInFastTime(() => store.addOnce(REQUEST, rex), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(tookMs).toBeLessThan(5000);
  });
});

test('an id that is taken is drawn again, and its animal stays', async () => {
  const nowMs = Date.now();
  const epochMs = Date.UTC(2025, 0, 1);
  const ids = Array.from({ length: 512 }, (_, draw) => BigInt(nowMs - epochMs) * 8192n + BigInt(draw) * 16n);
  await putAll(tables.pets, petsWith(ids));
  const creation = await creations(tables, 1, () => nowMs).addOnce(REQUEST, rex);
  expect(creation).toMatchObject({ outcome: 'created' });
  const pets = await stored();
  expect(pets).toHaveLength(513);
  expect(pets.at(-1)).toEqual((creation as { pet: Pet }).pet);
});

test('without faults it is one call', async () => {
  const { engine, store } = await behindFaults([]);
  await store.addOnce(REQUEST, rex);
  await store.addOnce(REQUEST, rex);
  expect(engine.requests.map(({ operation }) => operation)).toEqual([
    'TransactWriteItems',
    'TransactWriteItems',
  ]);
});
