import { lineageOf } from '../api-keys/api-key-record.ts';
import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import { usedKeyWrite } from '../pets/idempotent-creation.ts';
import { isTemporary } from './checks.ts';
import { CommandError, type CommandTable } from './command.ts';

/** Longer than smoke takes, but short enough to leave nothing behind. */
const REHEARSAL_MS = 10 * 60 * 1000;

interface RehearsalParts {
  readonly apiKeys: Pick<ApiKeyStore, 'find'>;
  readonly idempotencyKeysTable: string;
  readonly now?: () => number;
}

/** Makes the tables themselves refuse a pet, so that smoke can tell, even in production, that createPet can write. */
export function rehearsalCommand({
  apiKeys,
  idempotencyKeysTable,
  now = Date.now,
}: RehearsalParts): CommandTable<'pets'> {
  return {
    'pets.rehearse': {
      async run({ keyId, idempotencyKey }, { commit }) {
        const key = await apiKeys.find(keyId);
        // So that no client's request is refused.
        if (!key || !isTemporary(key, Date.parse(key.createdAt))) {
          throw new CommandError('not_found', `There is no temporary API key ${keyId}.`, 'key_unknown');
        }
        const expiresAtMs = now() + REHEARSAL_MS;
        const result = { expiresAt: new Date(expiresAtMs).toISOString() };
        const request = { caller: lineageOf(key), idempotencyKey };
        await commit([usedKeyWrite(idempotencyKeysTable, request, expiresAtMs / 1000)], result);
        return result;
      },
    },
  };
}
