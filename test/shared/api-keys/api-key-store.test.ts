import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { generateKey, hashOf } from '../../../shared/api-keys/api-key.ts';
import { type ApiKeyStore, apiKeyStore, NewApiKey } from '../../../shared/api-keys/api-key-store.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always, type Fault, faultyEngine } from '../aws/faulty-engine.ts';

const PREFIX = 'pet_test_';
const CREATED_MS = Date.UTC(2026, 0, 31, 12);

describe('NewApiKey', () => {
  test.each([
    { name: 'A' },
    { name: 'a'.repeat(100) },
    { name: '🐕'.repeat(100) },
    { name: 'Acme, the zoo', expiresAt: '2030-01-31T12:00:00Z' },
    { name: 'Acme', expiresAt: '2030-01-31T12:00:00.5+02:00' },
  ])('%j', input => {
    expect(NewApiKey.safeParse(input).success).toBe(true);
  });

  test.each([
    {},
    { name: '' },
    { name: ' ' },
    { name: ' Acme' },
    { name: 'Acme ' },
    { name: 'a'.repeat(101) },
    { name: 5 },
    { name: null },
    { name: 'Acme', expiresAt: '2030-01-31' },
    { name: 'Acme', expiresAt: '2030-02-30T12:00:00Z' },
    { name: 'Acme', expiresAt: 'tomorrow' },
    { name: 'Acme', expiresAt: 1_900_000_000 },
    { name: 'Acme', expiresAt: null },
  ])('not %j', input => {
    expect(NewApiKey.safeParse(input).success).toBe(false);
  });
});

describe('the store', () => {
  let table: string;
  let nowMs: number;
  let store: ApiKeyStore;

  beforeEach(async () => {
    table = await tableLike('ApiKeysTable');
    nowMs = CREATED_MS;
    store = apiKeyStore(table, PREFIX, () => nowMs);
  });

  describe('a new key', () => {
    test('is shown once, with what is known of it afterwards', async () => {
      const { key, ...apiKey } = await store.add({ name: 'Acme', expiresAt: '2030-01-31T12:00:00+01:00' });
      expect(key).toMatch(/^pet_test_[0-9A-Za-z]{34}$/);
      expect(apiKey).toEqual({
        id: expect.stringMatching(/^key_[0-9a-f]{24}$/),
        name: 'Acme',
        hint: `pet_test_…${key.slice(-4)}`,
        createdAt: '2026-01-31T12:00:00.000Z',
        expiresAt: '2030-01-31T11:00:00.000Z',
      });
      expect(await store.findValid(key)).toEqual(apiKey);
    });

    test('is nowhere in its item', async () => {
      const { key, id } = await store.add({ name: 'Acme' });
      const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key: { id: { S: id } } }));
      expect(Object.keys(Item ?? {}).toSorted()).toEqual(['createdAt', 'hash', 'hint', 'id', 'name']);
      expect(Item?.hash).toEqual({ S: hashOf(key) });
      const secret = key.slice(PREFIX.length);
      for (let start = 0; start + 5 <= secret.length; start += 1) {
        expect(JSON.stringify(Item)).not.toContain(secret.slice(start, start + 5));
      }
    });
  });

  describe('a key is valid', () => {
    test('at once and for ever without an expiry', async () => {
      const { key, id } = await store.add({ name: 'Acme' });
      nowMs = Date.UTC(2100, 0, 1);
      expect(await store.findValid(key)).toMatchObject({ id });
    });

    test('until it expires', async () => {
      const { key, id } = await store.add({ name: 'Acme', expiresAt: '2026-02-01T00:00:00Z' });
      nowMs = Date.UTC(2026, 1, 1) - 1;
      expect(await store.findValid(key)).toMatchObject({ id });
      nowMs += 1;
      expect(await store.findValid(key)).toBeUndefined();
    });
  });

  describe('no key is found', () => {
    test('for one that nobody created', async () => {
      await store.add({ name: 'Acme' });
      expect(await store.findValid(generateKey(PREFIX))).toBeUndefined();
    });

    test('for one of the other environment', async () => {
      const { key } = await apiKeyStore(table, 'pet_live_').add({ name: 'Acme' });
      expect(await store.findValid(key)).toBeUndefined();
    });

    test('in the table of another environment', async () => {
      const { key } = await store.add({ name: 'Acme' });
      const other = apiKeyStore(await tableLike('ApiKeysTable'), PREFIX);
      expect(await other.findValid(key)).toBeUndefined();
    });
  });

  describe('requests', () => {
    async function behind(faults: Iterable<Fault>) {
      const engine = await faultyEngine(faults);
      const module = await engine.under(() => import('../../../shared/api-keys/api-key-store.ts'));
      return { engine, faulty: module.apiKeyStore(table, PREFIX) };
    }

    test('none is made for what cannot be a key', async () => {
      const { engine, faulty } = await behind([]);
      const key = generateKey(PREFIX);
      const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
      for (const text of [
        '',
        'Bearer',
        PREFIX,
        typo,
        ` ${key}`,
        key.toLowerCase(),
        generateKey('pet_live_'),
      ]) {
        expect(await faulty.findValid(text)).toBeUndefined();
      }
      expect(engine.requests).toEqual([]);
    });

    test('one consistent read finds a key, one write adds one', async () => {
      const { engine, faulty } = await behind([]);
      const { key } = await faulty.add({ name: 'Acme' });
      await faulty.findValid(key);
      expect(engine.requests.map(({ operation }) => operation)).toEqual(['PutItem', 'GetItem']);
      expect(engine.requests[1]?.input).toMatchObject({ ConsistentRead: true });
      expect(JSON.stringify(engine.requests)).not.toContain(key.slice(PREFIX.length));
    });

    test('an outage is Unavailable, not an unknown key', async () => {
      const { engine, faulty } = await behind(always('request lost'));
      const { error, tookMs } = await outcomeInFastTime(() => faulty.findValid(generateKey(PREFIX)), engine);
      expect(error).toMatchObject({ name: 'Unavailable' });
      expect(tookMs).toBeLessThan(5000);
    });
  });
});
