import { lineageOf } from '../api-keys/api-key-record.ts';
import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import { usedKeyWrite } from '../pets/idempotent-creation.ts';
import { isTemporary } from './checks.ts';
import { CommandError, type CommandTable } from './command.ts';

/** Longer than smoke takes, and short enough for nothing to be left of it. */
const REHEARSAL_MS = 10 * 60 * 1000;

interface RehearsalParts {
  readonly apiKeys: Pick<ApiKeyStore, 'find'>;
  readonly idempotencyKeysTable: string;
  readonly now?: () => number;
}

/** Has the tables themselves refuse a pet, so that smoke sees in production, too, that createPet can write. */
export function rehearsalCommand({
  apiKeys,
  idempotencyKeysTable,
  now = Date.now,
}: RehearsalParts): CommandTable<'pets'> {
  return {
    'pets.rehearse': {
      async run({ keyId, idempotencyKey }, { commit }) {
        const key = await apiKeys.find(keyId);
        // A client's request is not refused for this.
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
