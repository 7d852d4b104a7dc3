import * as z from 'zod/mini';
import { generateKey, hashOf, hintOf, keyIdOf } from '../api-keys/api-key.ts';
import { type ApiKey, isValid } from '../api-keys/api-key-record.ts';
import { type ApiKeyStore, NotActive } from '../api-keys/api-key-store.ts';
import { ALL_SCOPES, Scope } from '../api-keys/scopes.ts';
import type { UsagePlan } from '../api-keys/usage-plan.ts';
import { describeError, log } from '../log.ts';
import { type Change, type Command, CommandError, command } from './command.ts';

const HOUR_MS = 60 * 60 * 1000;
const LONGEST_OVERLAP_HOURS = 30 * 24;

const KeyId = z
  .string('must be text')
  .check(z.regex(/^key_[0-9a-f]{24}$/, 'must be a key id such as key_0123456789abcdef01234567'));

const KeyName = z
  .string('must be text')
  .check(
    z.regex(/^\S(.{0,98}\S)?$/u, 'must have 1 to 100 characters on one line, no white space around them'),
  );

const Scopes = z.array(Scope, 'must be a list of scopes').check(
  z.minLength(1, 'must name at least one scope'),
  z.refine(scopes => new Set(scopes).size === scopes.length, 'must name each scope once'),
);

export interface KeyCommandParts {
  readonly apiKeys: ApiKeyStore;
  readonly plan: UsagePlan;
  readonly keyPrefix: string;
  readonly now?: () => number;
}

/** What operators do with API keys. A key itself is in the answer to its creation or rotation and nowhere else. */
export function keyCommands({
  apiKeys,
  plan,
  keyPrefix,
  now = Date.now,
}: KeyCommandParts): Record<string, Command> {
  const Expiry = z.iso
    .datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' })
    // What is no time is told as that alone.
    .check(z.refine(time => !(Date.parse(time) <= now()), 'must be in the future'));

  const requireKey = async (id: string) => {
    const apiKey = await apiKeys.find(id);
    if (!apiKey) throw new CommandError('not_found', `There is no API key ${id}.`);
    return apiKey;
  };

  /** A new key and its record, admitted to the usage plan so that it works as soon as it is written down. */
  const issue = async (fields: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt'>) => {
    const key = generateKey(keyPrefix);
    const hash = hashOf(key);
    const apiKey: ApiKey = {
      id: keyIdOf(hash),
      name: fields.name,
      hint: hintOf(keyPrefix, key),
      scopes: fields.scopes,
      createdAt: new Date(now()).toISOString(),
      expiresAt: fields.expiresAt,
      lastUsedAt: null,
      revokedAt: null,
    };
    await plan.addKey(apiKey.id);
    return { key, apiKey, write: apiKeys.addition(apiKey, hash) };
  };

  /** Commits a change that comes with a new key; if it fails the usage plan forgets the key again. */
  const commitWithKey = async (newKeyId: string, commit: () => Promise<void>) => {
    try {
      await commit();
    } catch (error) {
      await plan.removeKey(newKeyId);
      throw error;
    }
  };

  const revoke = async (id: string, change: Change): Promise<ApiKey> => {
    const apiKey = await requireKey(id);
    if (apiKey.revokedAt !== null) return apiKey;
    const revoked = { ...apiKey, revokedAt: new Date(now()).toISOString() };
    try {
      await change.commit([apiKeys.revocation(id, revoked.revokedAt)], revoked);
      return revoked;
    } catch (error) {
      // Another operator was faster, and what was wanted is done.
      if (error instanceof NotActive) return requireKey(id);
      throw error;
    }
  };

  return {
    'keys.create': command(
      z.strictObject({ name: KeyName, expiresAt: z.optional(Expiry), scopes: z.optional(Scopes) }),
      async ({ name, expiresAt, scopes = [...ALL_SCOPES] }, change) => {
        const expires = expiresAt === undefined ? null : new Date(expiresAt).toISOString();
        const { key, apiKey, write } = await issue({ name, scopes, expiresAt: expires });
        await commitWithKey(apiKey.id, () => change.commit([write], apiKey));
        return { ...apiKey, key };
      },
    ),

    'keys.list': command(z.strictObject({}), async () => ({ keys: await apiKeys.list() })),

    'keys.revoke': command(
      z.strictObject({ id: KeyId }),
      ({ id }, change) => revoke(id, change),
      async ({ id }) => {
        await plan.flushAuthorizerCache();
        await plan.removeKey(id);
      },
    ),

    'keys.rotate': command(
      z.strictObject({
        id: KeyId,
        overlapHours: z
          .number('must be a number of hours')
          .check(
            z.gte(0, `must be 0 to ${LONGEST_OVERLAP_HOURS} hours`),
            z.lte(LONGEST_OVERLAP_HOURS, `must be 0 to ${LONGEST_OVERLAP_HOURS} hours`),
          ),
      }),
      async ({ id, overlapHours }, change) => {
        const old = await requireKey(id);
        if (!isValid(old, now())) throw new CommandError('conflict', `The API key ${id} is no longer valid.`);
        const overlapEnd = new Date(now() + overlapHours * HOUR_MS).toISOString();
        const oldExpiresAt =
          old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
        const { key, apiKey, write } = await issue(old);
        const result = { ...apiKey, replaces: { id, expiresAt: oldExpiresAt } };
        await commitWithKey(apiKey.id, () =>
          change.commit([write, apiKeys.expiry(id, oldExpiresAt)], result).catch(asConflict),
        );
        return { ...result, key };
      },
      // The new key is in this one answer: a cache that is not flushed must not cost it. What is cached ends in 5 minutes.
      () =>
        plan.flushAuthorizerCache().catch(error => {
          log.error('A rotated key may work 5 minutes longer: the cache was not flushed.', {
            error: describeError(error),
          });
        }),
    ),
  };
}

/** Another operator revoked the key between our look and our write. */
function asConflict(error: unknown): never {
  if (error instanceof NotActive) throw new CommandError('conflict', error.message, { cause: error });
  throw error;
}
