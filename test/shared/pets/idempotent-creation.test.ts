import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import {
  type IdempotentPetCreation,
  idempotentPetCreation,
} from '../../../shared/pets/idempotent-creation.ts';
import type { Pet } from '../../../shared/pets/pet.ts';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always, type Fault, faultyEngine } from '../aws/faulty-engine.ts';
import { petsWith, putAll, rex, walk } from './stored-pets.ts';

const REQUEST = { caller: 'key_a', idempotencyKey: 'k1' };
const DAY_MS = 24 * 60 * 60 * 1000;

/** The cancellation reasons of a transaction whose own record of the key is already stored. */
function ownRecordAsReason(input: Record<string, unknown>): unknown {
  const [{ Put }] = input.TransactItems as [{ Put: { Item: unknown } }];
  return [{ Code: 'ConditionalCheckFailed', Item: Put.Item }, { Code: 'None' }];
}

let tables: { pets: string; idempotencyKeys: string };

beforeEach(async () => {
  const [pets, idempotencyKeys] = await Promise.all([tableLike('PetsTable'), tableLike('PetsCreations')]);
  tables = { pets, idempotencyKeys };
});

/** All pets in the table, which has four shards at most, read without any injected fault. */
function stored(): Promise<Pet[]> {
  return walk(petStore(tables.pets, 4), { limit: 100 });
}

async function behindFaults(faults: Iterable<Fault>) {
  const engine = await faultyEngine(faults);
  const module = await engine.under(() => import('../../../shared/pets/idempotent-creation.ts'));
  return { engine, creation: module.idempotentPetCreation(tables, 1) };
}

describe.each([1, 4])('with %i shards', shards => {
  let creation: IdempotentPetCreation;

  beforeEach(() => {
    creation = idempotentPetCreation(tables, shards);
  });

  test('creates the pet on the first request and replays it on every further one', async () => {
    const first = await creation.create(REQUEST, rex);
    expect(first).toEqual({ outcome: 'created', pet: { ...rex, id: expect.any(BigInt) } });
    for (const repeater of [creation, idempotentPetCreation(tables, shards)]) {
      expect(await repeater.create(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    }
    expect(await stored()).toEqual([(first as { pet: Pet }).pet]);
  });

  test.each([
    ['name', { ...rex, name: 'Max' }],
    ['categoryId', { ...rex, categoryId: 8n }],
    ['status', { ...rex, status: 'sold' as const }],
  ])('reports a mismatch for another %s under the same key', async (_, other) => {
    const first = await creation.create(REQUEST, rex);
    expect(await creation.create(REQUEST, other)).toEqual({ outcome: 'mismatch' });
    expect(await creation.create(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    expect(await stored()).toHaveLength(1);
  });

  test('creates one pet for twelve concurrent requests with two bodies; the other body is a mismatch', async () => {
    const copies = Array.from({ length: 12 }, (_, copy) =>
      idempotentPetCreation(tables, shards).create(REQUEST, copy % 2 === 0 ? rex : { ...rex, name: 'Max' }),
    );
    const outcomes = await Promise.all(copies);
    const names = outcomes.map(({ outcome }) => outcome).toSorted();
    expect(names).toEqual(['created', ...Array(6).fill('mismatch'), ...Array(5).fill('replayed')]);
    const [pet, ...more] = await stored();
    expect(more).toEqual([]);
    for (const outcome of outcomes) if (outcome.outcome !== 'mismatch') expect(outcome.pet).toEqual(pet);
  });
});

test('treats the same key of another caller, and another key, as other requests', async () => {
  const creation = idempotentPetCreation(tables, 1);
  for (const request of [REQUEST, { ...REQUEST, caller: 'key_b' }, { ...REQUEST, idempotencyKey: 'k2' }]) {
    expect(await creation.create(request, rex)).toMatchObject({ outcome: 'created' });
  }
  expect(await stored()).toHaveLength(3);
});

test.each(['🐕'.repeat(255), '#', 'key_b#k1', ' '])('accepts %s as a key', async idempotencyKey => {
  const creation = idempotentPetCreation(tables, 1);
  expect(await creation.create({ ...REQUEST, idempotencyKey }, rex)).toMatchObject({ outcome: 'created' });
  expect(await creation.create({ ...REQUEST, idempotencyKey }, rex)).toMatchObject({ outcome: 'replayed' });
});

describe('the record of a key', () => {
  test('is valid for 24 hours and not longer, whether or not DynamoDB has deleted it', async () => {
    // Whole seconds, as DynamoDB counts them.
    const startMs = Math.floor(Date.now() / 1000) * 1000;
    let nowMs = startMs;
    const creation = idempotentPetCreation(tables, 1, () => nowMs);
    const first = await creation.create(REQUEST, rex);
    nowMs = startMs + DAY_MS - 1;
    expect(await creation.create(REQUEST, rex)).toEqual({ ...first, outcome: 'replayed' });
    nowMs = startMs + DAY_MS;
    const second = await creation.create(REQUEST, { ...rex, name: 'Max' });
    expect(second).toMatchObject({ outcome: 'created', pet: { name: 'Max' } });
    nowMs = startMs + 2 * DAY_MS - 1;
    expect(await creation.create(REQUEST, rex)).toEqual({ outcome: 'mismatch' });
    expect(await stored()).toHaveLength(2);
  });

  test('has the time after which DynamoDB may delete it', async () => {
    const nowMs = Date.now();
    await idempotentPetCreation(tables, 1, () => nowMs).create(REQUEST, rex);
    const Key = { request: { S: 'key_a#k1' } };
    const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: tables.idempotencyKeys, Key }));
    expect(Item?.expiresAt).toEqual({ N: String(Math.floor(nowMs / 1000) + 86_400) });
  });
});

describe('under faults', () => {
  const canceledBy = (...codes: string[]): Fault => ({
    status: 400,
    type: 'TransactionCanceledException',
    CancellationReasons: codes.map(Code => ({ Code })),
  });

  test.each<[string, Fault[]]>([
    ['the response is lost three times', ['response lost', 'response lost', 'response lost']],
    ['another transaction conflicts over the pet', [canceledBy('None', 'TransactionConflict')]],
    [
      'the transaction is still being written',
      ['response lost', { status: 400, type: 'TransactionInProgressException' }],
    ],
  ])('creates one pet: %s', async (_, faults) => {
    const { creation } = await behindFaults(faults);
    const created = await creation.create(REQUEST, rex);
    expect(created).toMatchObject({ outcome: 'created' });
    expect(await stored()).toEqual([(created as { pet: Pet }).pet]);
    expect(await creation.create(REQUEST, rex)).toEqual({ ...created, outcome: 'replayed' });
  });

  test('takes its own record as the cancellation reason for success', async () => {
    // DynamoDB responds with this to a retried transaction that it does not recognize as the same.
    const refusal = { status: 400, type: 'TransactionCanceledException' };
    const engine = await faultyEngine([
      'response lost',
      input => ({ ...refusal, CancellationReasons: ownRecordAsReason(input) }),
    ]);
    const module = await engine.under(() => import('../../../shared/pets/idempotent-creation.ts'));
    const created = await module.idempotentPetCreation(tables, 1).create(REQUEST, rex);
    expect(created).toMatchObject({ outcome: 'created' });
    expect(await stored()).toEqual([(created as { pet: Pet }).pet]);
  });

  test('leaves the pet and the record when every response is lost', async () => {
    const { engine, creation } = await behindFaults(always('response lost'));
    const { error } = await outcomeInFastTime(() => creation.create(REQUEST, rex), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    const [pet, ...more] = await stored();
    expect(more).toEqual([]);
    expect(await idempotentPetCreation(tables, 1).create(REQUEST, rex)).toEqual({ outcome: 'replayed', pet });
  });

  test('gives up with Unavailable when eight ids in a row are taken', async () => {
    const { engine, creation } = await behindFaults(always(canceledBy('None', 'ConditionalCheckFailed')));
    await expect(creation.create(REQUEST, rex)).rejects.toMatchObject({
      name: 'Unavailable',
      message: 'Each of 8 ids drawn was taken.',
    });
    expect(engine.requests).toHaveLength(8);
  });
});

test('draws another id when the id is taken, and keeps the pet that has it', async () => {
  const nowMs = Date.now();
  const epochMs = Date.UTC(2025, 0, 1);
  const ids = Array.from({ length: 512 }, (_, draw) => BigInt(nowMs - epochMs) * 8192n + BigInt(draw) * 16n);
  await putAll(tables.pets, petsWith(ids));
  const created = await idempotentPetCreation(tables, 1, () => nowMs).create(REQUEST, rex);
  expect(created).toMatchObject({ outcome: 'created' });
  const pets = await stored();
  expect(pets).toHaveLength(513);
  expect(pets.at(-1)).toEqual((created as { pet: Pet }).pet);
});

test('makes one call to DynamoDB per request', async () => {
  const { engine, creation } = await behindFaults([]);
  await creation.create(REQUEST, rex);
  await creation.create(REQUEST, rex);
  expect(engine.requests.map(({ operation }) => operation)).toEqual([
    'TransactWriteItems',
    'TransactWriteItems',
  ]);
});
