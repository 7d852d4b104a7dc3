import { expect, test } from 'vitest';
import { hashOf, isWellFormedKey, keyIdOf } from '../../../shared/api-keys/api-key.ts';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { canaryKey } from '../../../shared/api-keys/canary-key.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { gatewayParts, localGateway } from './local-gateway.ts';

const KEY = { keyPrefix: 'pet_test_', secret: 'a secret of the stack that nobody guesses' };

async function canary(secret = KEY.secret) {
  const [gateway, table] = [await localGateway(), await tableLike('ApiKeysTable')];
  const apiKeys = apiKeyStore(table);
  const parts = { ...gatewayParts(), apiKeys, ...KEY, secret };
  return {
    gateway,
    apiKeys,
    keyOf: () => canaryKey(parts),
    other: () => canaryKey({ ...parts, secret: 'another secret of the stack, as good' }),
  };
}

test('is created once, reads pets only, and is in the usage plan', async () => {
  const { gateway, apiKeys, keyOf } = await canary();
  const { key, isNew } = await keyOf();
  const id = keyIdOf(hashOf(key));
  expect([isWellFormedKey(KEY.keyPrefix, key), isNew]).toEqual([true, true]);
  expect(gateway.members()).toEqual([id]);
  expect(await apiKeys.list()).toMatchObject([
    { id, name: 'canary', scopes: ['pets:read'], expiresAt: null },
  ]);
  expect(await keyOf()).toEqual({ key, isNew: false });
});

test('follows from the secret', async () => {
  const { keyOf, other } = await canary();
  expect((await keyOf()).key).not.toBe((await other()).key);
});

test('is another one after it was revoked', async () => {
  const { apiKeys, keyOf } = await canary();
  const { key: first } = await keyOf();
  await transact([apiKeys.change(keyIdOf(hashOf(first)), { revokedAt: '2026-01-31T12:00:00.000Z' })]);
  const { key: second, isNew } = await keyOf();
  expect(second).not.toBe(first);
  expect(isNew).toBe(true);
  expect(await keyOf()).toEqual({ key: second, isNew: false });
});

test('is not replaced when its record is lost, as those of clients are not', async () => {
  const { keyOf } = await canary();
  const { key } = await keyOf();
  const emptied = { ...gatewayParts(), apiKeys: apiKeyStore(await tableLike('ApiKeysTable')), ...KEY };
  expect(await canaryKey(emptied)).toEqual({ key, isNew: false });
  expect(await emptied.apiKeys.list()).toEqual([]);
});

test('does not follow from a secret that could be guessed', async () => {
  const { keyOf, apiKeys } = await canary('');
  await expect(keyOf()).rejects.toThrow('fewer than 32 characters');
  expect(await apiKeys.list()).toEqual([]);
});
