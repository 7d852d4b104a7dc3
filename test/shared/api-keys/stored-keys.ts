import { generateKey, hashOf, hintOf, keyIdOf } from '../../../shared/api-keys/api-key.ts';
import type { ApiKey } from '../../../shared/api-keys/api-key-record.ts';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { SCOPE_NAMES } from '../../../shared/api-keys/scopes.ts';
import { transact } from '../../../shared/aws/transaction.ts';

export const PREFIX = 'pet_test_';

/** A new key and its record, with all scopes and without an expiry unless the fields say otherwise. */
export function newKey(fields: Partial<ApiKey> = {}, prefix = PREFIX) {
  const key = generateKey(prefix);
  const hash = hashOf(key);
  const apiKey: ApiKey = {
    id: keyIdOf(hash),
    name: 'Acme',
    hint: hintOf(prefix, key),
    scopes: [...SCOPE_NAMES],
    createdAt: '2026-01-31T12:00:00.000Z',
    expiresAt: null,
    lastUsedAt: null,
    revokedAt: null,
    ...fields,
  };
  return { key, hash, apiKey, id: apiKey.id };
}

/** A new key whose record is in the table. */
export async function storedKey(table: string, fields: Partial<ApiKey> = {}, prefix = PREFIX) {
  const created = newKey(fields, prefix);
  await transact([apiKeyStore(table).addition(created.apiKey, created.hash)]);
  return created;
}
