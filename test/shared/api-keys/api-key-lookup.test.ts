import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { generateKey, hashOf } from '../../../shared/api-keys/api-key.ts';
import { type ApiKeyLookup, apiKeyLookup } from '../../../shared/api-keys/api-key-lookup.ts';
import { type ApiKeyStore, apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';
import { newKey, PREFIX, storedKey } from './stored-keys.ts';

const START_MS = Date.UTC(2026, 0, 31, 12);
const FIVE_MINUTES_MS = 5 * 60 * 1000;
const time = (ms: number) => new Date(ms).toISOString();

let table: string;
let nowMs: number;
let lookup: ApiKeyLookup;
let store: ApiKeyStore;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
  nowMs = START_MS;
  lookup = apiKeyLookup(table, PREFIX, () => nowMs);
  store = apiKeyStore(table);
});

describe('a valid key', () => {
  test('is found at once, and without an expiry for ever', async () => {
    const { key, apiKey } = await storedKey(table);
    nowMs = Date.UTC(2100, 0, 1);
    expect(await lookup.use(key)).toEqual(apiKey);
  });

  test('is found until it expires', async () => {
    const { key, id } = await storedKey(table, { expiresAt: '2026-02-01T00:00:00.000Z' });
    nowMs = Date.UTC(2026, 1, 1) - 1;
    expect(await lookup.use(key)).toMatchObject({ id });
    nowMs += 1;
    expect(await lookup.use(key)).toEqual({ reason: 'expired', keyId: id });
  });

  test('is found until it is revoked, whether it was used before or not', async () => {
    const [used, unused] = [await storedKey(table), await storedKey(table)];
    await lookup.use(used.key);
    for (const { id, key } of [used, unused]) {
      await transact([store.change(id, { revokedAt: time(nowMs) })]);
      expect(await lookup.use(key)).toEqual({ reason: 'revoked', keyId: id });
    }
  });
});

describe('no key is found', () => {
  test('for one that was never created', async () => {
    await storedKey(table);
    const { key, id } = newKey();
    expect(await lookup.use(key)).toEqual({ reason: 'unknown', keyId: id });
  });

  test('for one that shares only its id with a key: the whole hash is compared', async () => {
    const { key, id, apiKey } = newKey();
    await transact([store.addition(apiKey, `${hashOf(key).slice(0, -1)}x`)]);
    expect(await lookup.use(key)).toMatchObject({ reason: 'unknown' });
    expect(await store.find(id)).toEqual(apiKey);
  });

  test('for one whose item has no hash to compare', async () => {
    const { key, id } = newKey();
    await documents.send(new PutCommand({ TableName: table, Item: { id } }));
    expect(await lookup.use(key)).toMatchObject({ reason: 'unknown' });
  });
});

describe('the last use', () => {
  const lastUse = async (id: string) => (await store.find(id))?.lastUsedAt;

  test('is recorded at the first use, and then at most once in five minutes', async () => {
    const { key, id } = await storedKey(table);
    expect(await lastUse(id)).toBeNull();
    for (const [afterMs, recordedMs] of [
      [0, 0],
      [1, 0],
      [FIVE_MINUTES_MS, 0],
      [FIVE_MINUTES_MS + 1, FIVE_MINUTES_MS + 1],
      [2 * FIVE_MINUTES_MS, FIVE_MINUTES_MS + 1],
    ] as const) {
      nowMs = START_MS + afterMs;
      expect(await lookup.use(key)).toMatchObject({ id });
      expect(await lastUse(id)).toBe(time(START_MS + recordedMs));
    }
  });

  test('is not recorded for a key that is expired or revoked', async () => {
    const expired = await storedKey(table, { expiresAt: time(START_MS) });
    const revoked = await storedKey(table, { revokedAt: time(START_MS) });
    for (const { key, id } of [expired, revoked]) {
      expect(await lookup.use(key)).toMatchObject({ keyId: id });
      expect(await lastUse(id)).toBeNull();
    }
  });
});

describe('the requests of a look-up', () => {
  async function observed() {
    const engine = await faultyEngine();
    const module = await engine.under(() => import('../../../shared/api-keys/api-key-lookup.ts'));
    return { engine, observedLookup: module.apiKeyLookup(table, PREFIX) };
  }

  test('are not made for a text that cannot be a key', async () => {
    const { engine, observedLookup } = await observed();
    const key = generateKey(PREFIX);
    const typo = `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
    for (const text of ['', 'Bearer', PREFIX, typo, ` ${key}`, key.toLowerCase(), generateKey('pet_live_')]) {
      expect(await observedLookup.use(text)).toEqual({ reason: 'malformed' });
    }
    expect(engine.requests).toEqual([]);
  });

  test.each([
    ['unused', {}],
    ['used just now', { lastUsedAt: time(Date.now()) }],
    ['used long ago', { lastUsedAt: '2026-01-31T12:00:00.000Z' }],
    ['expired', { expiresAt: '2026-01-31T12:00:00.000Z' }],
    ['revoked', { revokedAt: '2026-01-31T12:00:00.000Z' }],
  ])('are one update that both finds a key that is %s and records its use', async (_, fields) => {
    const { key } = await storedKey(table, fields);
    const { engine, observedLookup } = await observed();
    await observedLookup.use(key);
    expect(engine.requests.map(({ operation }) => operation)).toEqual(['UpdateItem']);
    expect(JSON.stringify(engine.requests)).not.toContain(key.slice(PREFIX.length));
  });

  test('are one for an unknown key, which creates no item', async () => {
    const { engine, observedLookup } = await observed();
    expect(await observedLookup.use(generateKey(PREFIX))).toMatchObject({ reason: 'unknown' });
    expect(engine.requests.map(({ operation }) => operation)).toEqual(['UpdateItem']);
    expect(await store.list()).toEqual([]);
  });
});
