import * as z from 'zod/mini';
import { lineageOf } from '../api-keys/api-key-record.ts';
import type { ApiKeyStore } from '../api-keys/api-key-store.ts';
import { usedKeyWrite } from '../pets/idempotent-creation.ts';
import { CommandError, type CommandTable, command } from './command.ts';

/** Longer than smoke takes, and short enough for nothing to be left of it. */
const REHEARSAL_MS = 10 * 60 * 1000;

interface RehearsalParts {
  readonly apiKeys: Pick<ApiKeyStore, 'find'>;
  /** Undefined in a function that may not write to it. */
  readonly idempotencyKeysTable: string | undefined;
  readonly now?: () => number;
}

/** Has the tables themselves refuse a pet, so that smoke sees in production, too, that createPet can write. */
export function rehearsalCommand({
  apiKeys,
  idempotencyKeysTable,
  now = Date.now,
}: RehearsalParts): CommandTable<'pets'> {
  return {
    'pets.rehearse': command(
      z.strictObject({
        keyId: z.string('must be the id of an API key'),
        idempotencyKey: z
          .string('must be text')
          .check(z.regex(/^.{1,255}$/u, 'must have 1 to 255 characters')),
      }),
      async ({ keyId, idempotencyKey }, { commit }) => {
        if (idempotencyKeysTable === undefined) {
          throw new CommandError('forbidden', 'Only the function for checks carries out pets.rehearse.');
        }
        const key = await apiKeys.find(keyId);
        if (!key) throw new CommandError('not_found', `API key ${keyId} doesn't exist.`, 'key_unknown');
        const expiresAtMs = now() + REHEARSAL_MS;
        const result = { expiresAt: new Date(expiresAtMs).toISOString() };
        const request = { caller: lineageOf(key), idempotencyKey };
        await commit([usedKeyWrite(idempotencyKeysTable, request, expiresAtMs / 1000)], result);
        return result;
      },
    ),
  };
}
