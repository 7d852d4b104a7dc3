import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { generateKey, hashOf } from '../../../shared/api-keys/api-key.ts';
import { type ApiKeyStore, apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { outcomeInFastTime } from '../aws/fast-time.ts';
import { always, type Fault, faultyEngine } from '../aws/faulty-engine.ts';
import { newKey, PREFIX, storedKey } from './stored-keys.ts';

const START_MS = Date.UTC(2026, 0, 31, 12);
const FIVE_MINUTES_MS = 5 * 60 * 1000;
const time = (ms: number) => new Date(ms).toISOString();

let table: string;
let nowMs: number;
let store: ApiKeyStore;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
  nowMs = START_MS;
  store = apiKeyStore(table, PREFIX, () => nowMs);
});

async function itemOf(id: string) {
  const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key: { id: { S: id } } }));
  return Item;
}

describe('a new key', () => {
  test('is known by its id as it was added', async () => {
    const { apiKey, id } = await storedKey(table, { scopes: ['pets:read'], expiresAt: time(START_MS + 1) });
    expect(await store.find(id)).toEqual(apiKey);
    expect(await store.list()).toEqual([apiKey]);
  });

  test('is nowhere in its item', async () => {
    const { key, id } = await storedKey(table);
    const item = await itemOf(id);
    expect(Object.keys(item ?? {}).toSorted()).toEqual([
      ...['createdAt', 'hash', 'hint', 'id', 'name', 'scopes'],
    ]);
    expect(item?.hash).toEqual({ S: hashOf(key) });
    const secret = key.slice(PREFIX.length);
    for (let start = 0; start + 5 <= secret.length; start += 1) {
      expect(JSON.stringify(item)).not.toContain(secret.slice(start, start + 5));
    }
  });

  test('takes no place that is taken', async () => {
    const { apiKey, hash, id } = await storedKey(table);
    await expect(transact([store.addition({ ...apiKey, name: 'Other' }, hashOf('another'))])).rejects.toThrow(
      `The id ${id} is taken.`,
    );
    await transact([store.addition(apiKey, hash)]);
    expect(await store.list()).toEqual([apiKey]);
  });
});

describe('a key is valid', () => {
  test('at once and for ever without an expiry', async () => {
    const { key, apiKey } = await storedKey(table);
    nowMs = Date.UTC(2100, 0, 1);
    expect(await store.use(key)).toEqual(apiKey);
  });

  test('until it expires', async () => {
    const { key, id } = await storedKey(table, { expiresAt: '2026-02-01T00:00:00.000Z' });
    nowMs = Date.UTC(2026, 1, 1) - 1;
    expect(await store.use(key)).toMatchObject({ id });
    nowMs += 1;
    expect(await store.use(key)).toBeUndefined();
  });

  test('until it is revoked, whenever it was used', async () => {
    const [used, unused] = [await storedKey(table), await storedKey(table)];
    await store.use(used.key);
    for (const { id, key } of [used, unused]) {
      await transact([store.revocation(id, time(nowMs))]);
      expect(await store.use(key)).toBeUndefined();
    }
  });
});

describe('no key is found', () => {
  test('for one that nobody created', async () => {
    await storedKey(table);
    expect(await store.use(generateKey(PREFIX))).toBeUndefined();
  });

  test('for one of the other environment', async () => {
    const { key } = await storedKey(table, {}, 'pet_live_');
    expect(await store.use(key)).toBeUndefined();
  });

  test('in the table of another environment', async () => {
    const { key } = await storedKey(table);
    const other = apiKeyStore(await tableLike('ApiKeysTable'), PREFIX);
    expect(await other.use(key)).toBeUndefined();
  });

  test('by a key whose id is another one’s: the whole hash counts', async () => {
    const { key, id, apiKey } = newKey();
    await transact([store.addition(apiKey, `${hashOf(key).slice(0, -1)}x`)]);
    expect(await store.use(key)).toBeUndefined();
    expect(await store.find(id)).toEqual(apiKey);
  });

  test('by an unknown id', async () => {
    expect(await store.find('key_000000000000000000000000')).toBeUndefined();
  });
});

describe('last use', () => {
  const lastUse = async (id: string) => (await store.find(id))?.lastUsedAt;

  test('is noted at the first use, and then once in five minutes at most', async () => {
    const { key, id } = await storedKey(table);
    expect(await lastUse(id)).toBeNull();
    for (const [afterMs, notedMs] of [
      [0, 0],
      [1, 0],
      [FIVE_MINUTES_MS, 0],
      [FIVE_MINUTES_MS + 1, FIVE_MINUTES_MS + 1],
      [2 * FIVE_MINUTES_MS, FIVE_MINUTES_MS + 1],
    ] as const) {
      nowMs = START_MS + afterMs;
      expect(await store.use(key)).toMatchObject({ id });
      expect(await lastUse(id)).toBe(time(START_MS + notedMs));
    }
  });

  test('is not noted for a key that is expired or revoked', async () => {
    const expired = await storedKey(table, { expiresAt: time(START_MS) });
    const revoked = await storedKey(table, { revokedAt: time(START_MS) });
    for (const { key, id } of [expired, revoked]) {
      expect(await store.use(key)).toBeUndefined();
      expect(await lastUse(id)).toBeNull();
    }
  });
});

describe('all keys', () => {
  test('the oldest first', async () => {
    const added = [];
    for (const day of ['03', '01', '02']) {
      added.push((await storedKey(table, { createdAt: `2026-01-${day}T00:00:00.000Z` })).apiKey);
    }
    const [third, first, second] = added;
    expect(await store.list()).toEqual([first, second, third]);
  });

  test('more than DynamoDB reads at once, 1 MB', async () => {
    const requests = Array.from({ length: 24 }, () => {
      const { Item } = store.addition(newKey({ name: 'x'.repeat(50_000) }).apiKey, 'hash').item.Put ?? {};
      return { PutRequest: { Item } };
    });
    await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
    expect(await store.list()).toHaveLength(24);
  });
});

describe('a change', () => {
  const UNKNOWN = 'key_000000000000000000000000';
  const NOT_ACTIVE = expect.objectContaining({ name: 'NotActive' });
  const at = time(START_MS + 1);

  test('revocation and expiry are noted, and nothing else', async () => {
    const { id, apiKey } = await storedKey(table);
    await transact([store.expiry(id, at)]);
    expect(await store.find(id)).toEqual({ ...apiKey, expiresAt: at });
    await transact([store.revocation(id, at)]);
    expect(await store.find(id)).toEqual({ ...apiKey, expiresAt: at, revokedAt: at });
  });

  test('a revoked key keeps the time of its revocation, and its expiry', async () => {
    const { id, apiKey } = await storedKey(table, { revokedAt: time(START_MS) });
    await expect(transact([store.revocation(id, at)])).rejects.toEqual(NOT_ACTIVE);
    await expect(transact([store.expiry(id, at)])).rejects.toEqual(NOT_ACTIVE);
    expect(await store.find(id)).toEqual(apiKey);
  });

  test('our own revocation, found there by a second attempt, is no refusal', async () => {
    const { id } = await storedKey(table);
    await transact([store.revocation(id, at)]);
    await transact([store.revocation(id, at)]);
    expect(await store.find(id)).toMatchObject({ revokedAt: at });
  });

  test('a revoked key is refused even if it has the wanted expiry already', async () => {
    const { id } = await storedKey(table, { revokedAt: time(START_MS), expiresAt: at });
    await expect(transact([store.expiry(id, at)])).rejects.toEqual(NOT_ACTIVE);
  });

  test('of a key that is not there is refused, and makes none', async () => {
    for (const write of [store.revocation(UNKNOWN, at), store.expiry(UNKNOWN, at)]) {
      await expect(transact([write])).rejects.toEqual(NOT_ACTIVE);
    }
    expect(await store.list()).toEqual([]);
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
    for (const text of ['', 'Bearer', PREFIX, typo, ` ${key}`, key.toLowerCase(), generateKey('pet_live_')]) {
      expect(await faulty.use(text)).toBeUndefined();
    }
    expect(engine.requests).toEqual([]);
  });

  test.each([
    ['unused', {}],
    ['used just now', { lastUsedAt: time(Date.now()) }],
    ['used long ago', { lastUsedAt: '2026-01-31T12:00:00.000Z' }],
    ['expired', { expiresAt: '2026-01-31T12:00:00.000Z' }],
    ['revoked', { revokedAt: '2026-01-31T12:00:00.000Z' }],
  ])('one update both finds a key that is %s and notes its use', async (_, fields) => {
    const { key } = await storedKey(table, fields);
    const { engine, faulty } = await behind([]);
    await faulty.use(key);
    expect(engine.requests.map(({ operation }) => operation)).toEqual(['UpdateItem']);
    expect(JSON.stringify(engine.requests)).not.toContain(key.slice(PREFIX.length));
  });

  test('one for a key that nobody has, which makes none', async () => {
    const { engine, faulty } = await behind([]);
    expect(await faulty.use(generateKey(PREFIX))).toBeUndefined();
    expect(engine.requests.map(({ operation }) => operation)).toEqual(['UpdateItem']);
    expect(await store.list()).toEqual([]);
  });

  test('a lost answer does not make a key unknown', async () => {
    const { key, id } = await storedKey(table);
    const { faulty } = await behind(['answer lost', 'answer cut short']);
    expect(await faulty.use(key)).toMatchObject({ id });
  });

  test('an outage is Unavailable, not an unknown key', async () => {
    const { engine, faulty } = await behind(always('request lost'));
    const { error, tookMs } = await outcomeInFastTime(() => faulty.use(generateKey(PREFIX)), engine);
    expect(error).toMatchObject({ name: 'Unavailable' });
    expect(tookMs).toBeLessThan(5000);
  });
});
