import { expect, test } from 'vitest';
import { apiKeyStore } from '../../../shared/api-keys/api-key-store.ts';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { operator } from '../../../shared/operator/operator.ts';
import { rehearsalCommand } from '../../../shared/operator/rehearsal-command.ts';
import { idempotentPetCreation } from '../../../shared/pets/idempotent-creation.ts';
import { petStore } from '../../../shared/pets/pet-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { storedKey } from '../api-keys/stored-keys.ts';
import { rex } from '../pets/stored-pets.ts';
import { asking } from './asking.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 12);

const TEMPORARY = { name: 'petstore smoke', expiresAt: '2026-01-31T12:15:00.000Z' };

async function newWorld(fields: object = TEMPORARY) {
  const [keys, audit, pets, idempotencyKeys] = await Promise.all(
    ['ApiKeysTable', 'OperatorAudit', 'PetsTable', 'PetsCreations'].map(tableLike),
  );
  const tables = { pets: pets ?? '', idempotencyKeys: idempotencyKeys ?? '' };
  const command = rehearsalCommand({
    apiKeys: apiKeyStore(keys ?? ''),
    idempotencyKeysTable: tables.idempotencyKeys,
    now: () => NOW_MS,
  });
  return {
    key: await storedKey(keys ?? '', { lineage: 'key_first', ...fields }),
    createAt: (nowMs: number, idempotencyKey = 'k1') =>
      idempotentPetCreation(tables, 1, () => nowMs).create({ caller: 'key_first', idempotencyKey }, rex),
    listed: () => petStore(tables.pets, 1).list({ limit: 100 }),
    ...asking(operator(command, auditLog(audit ?? ''))),
  };
}

test('pets.rehearse has the tables refuse the pet for ten minutes, and leaves no pet', async () => {
  const { key, createAt, listed, done } = await newWorld();
  const fields = { keyId: key.id, idempotencyKey: 'k1' };
  expect(await done('pets.rehearse', fields)).toEqual({ expiresAt: '2026-01-31T12:10:00.000Z' });
  expect(await createAt(NOW_MS)).toEqual({ outcome: 'mismatch' });
  expect((await listed()).elements).toEqual([]);
  expect(await createAt(NOW_MS, 'k2')).toMatchObject({ outcome: 'created' });
  expect(await createAt(NOW_MS + 10 * 60_000)).toMatchObject({ outcome: 'created' });
});

test.each([
  { ...TEMPORARY, name: 'Acme' },
  { ...TEMPORARY, expiresAt: null },
])('pets.rehearse refuses a key that is not of smoke: %j', async fields => {
  const { key, ask } = await newWorld(fields);
  const reply = await ask('pets.rehearse', { keyId: key.id, idempotencyKey: 'k1' });
  expect(reply).toMatchObject({ ok: false, error: { code: 'not_found', reason: 'key_unknown' } });
});
