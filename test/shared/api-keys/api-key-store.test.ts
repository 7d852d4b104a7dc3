import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { hashOf } from '../../../shared/api-keys/api-key.ts';
import { type ApiKeyStore, apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { documents } from '../../../shared/aws/document-client.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';
import { PREFIX, storedKey } from './stored-keys.ts';

const START_MS = Date.UTC(2026, 0, 31, 12);
const time = (ms: number) => new Date(ms).toISOString();

let table: string;
let store: ApiKeyStore;

beforeEach(async () => {
  table = await tableLike('ApiKeysTable');
  store = apiKeyStore(table);
});

async function itemOf(id: string) {
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { id } }));
  return Item;
}

describe('an addition', () => {
  test('makes a key that is found by its id, as it was added', async () => {
    const { apiKey, id } = await storedKey(table, { scopes: ['pets:read'], expiresAt: time(START_MS + 1) });
    expect(await store.find(id)).toEqual(apiKey);
    expect(await store.list()).toEqual([apiKey]);
  });

  test('stores the hash of the key and no part of the key itself', async () => {
    const { key, id } = await storedKey(table);
    const item = await itemOf(id);
    expect(Object.keys(item ?? {}).toSorted()).toEqual(['createdAt', 'hash', 'hint', 'id', 'name', 'scopes']);
    expect(item?.hash).toEqual(hashOf(key));
    const secret = key.slice(PREFIX.length);
    for (let start = 0; start + 5 <= secret.length; start += 1) {
      expect(JSON.stringify(item)).not.toContain(secret.slice(start, start + 5));
    }
  });

  test('is refused where another key has the id; a retry of itself is not', async () => {
    const { apiKey, hash, id } = await storedKey(table);
    await expect(transact([store.addition({ ...apiKey, name: 'Other' }, hashOf('another'))])).rejects.toThrow(
      `The id ${id} is taken.`,
    );
    await transact([store.addition(apiKey, hash)]);
    expect(await store.list()).toEqual([apiKey]);
  });
});

test('a deletion removes the key, and a retry of it succeeds', async () => {
  const [{ apiKey }, other] = [await storedKey(table), await storedKey(table)];
  await transact([store.deletion(apiKey)]);
  await transact([store.deletion(apiKey)]);
  expect(await store.list()).toEqual([other.apiKey]);
});

describe('find', () => {
  test('returns undefined for an unknown id', async () => {
    expect(await store.find('key_000000000000000000000000')).toBeUndefined();
  });

  test('reads consistently: an operator sees what was just written', async () => {
    const { id } = await storedKey(table);
    const engine = await faultyEngine();
    const module = await engine.under(() => import('../../../shared/api-keys/api-key-store.ts'));
    expect(await module.apiKeyStore(table).find(id)).toMatchObject({ id });
    expect(engine.requests).toMatchObject([{ operation: 'GetItem', input: { ConsistentRead: true } }]);
  });
});

describe('list', () => {
  test('returns the oldest key first', async () => {
    // The table is in the order of the random ids, so eight keys are hardly ever in the right order by chance.
    const times = ['06', '03', '08', '01', '02', '05', '07', '04'].map(day => `2026-01-${day}T00:00:00.000Z`);
    for (const createdAt of times) await storedKey(table, { createdAt });
    expect((await store.list()).map(({ createdAt }) => createdAt)).toEqual(times.toSorted());
  });
});

describe('a change', () => {
  const UNKNOWN = 'key_000000000000000000000000';
  const NOT_ACTIVE = expect.objectContaining({ name: 'NotActive' });
  const at = time(START_MS + 1);

  test('sets its fields and nothing else, also one whose name DynamoDB reserves', async () => {
    const { id, apiKey } = await storedKey(table);
    await transact([store.change(id, { expiresAt: at, name: 'Zoo' })]);
    expect(await store.find(id)).toEqual({ ...apiKey, expiresAt: at, name: 'Zoo' });
    await transact([store.change(id, { revokedAt: at })]);
    expect(await store.find(id)).toEqual({ ...apiKey, expiresAt: at, name: 'Zoo', revokedAt: at });
  });

  test.each([
    ['which keeps its times', { revokedAt: time(START_MS) }],
    ['even if it has the requested expiry already', { revokedAt: time(START_MS), expiresAt: at }],
    ['also at the very time of the revocation', { revokedAt: at }],
  ])('is refused for a revoked key, %s', async (_, fields) => {
    const { id, apiKey } = await storedKey(table, fields);
    await expect(transact([store.change(id, { expiresAt: at })])).rejects.toEqual(NOT_ACTIVE);
    const again = store.change(id, { revokedAt: time(START_MS + 2) });
    await expect(transact([again])).rejects.toEqual(NOT_ACTIVE);
    expect(await store.find(id)).toEqual(apiKey);
  });

  test('is refused for an unknown key, and creates none', async () => {
    const write = store.change(UNKNOWN, { expiresAt: at });
    await expect(transact([write])).rejects.toEqual(NOT_ACTIVE);
    await expect(transact([write])).rejects.toThrow(`No active API key has the id ${UNKNOWN}.`);
    expect(await store.list()).toEqual([]);
  });
});
