import { derivedKey, generateKey, hashOf, hintOf, keyIdOf } from '../api-keys/api-key.ts';
import { type ApiKey, isValid, lineageOf } from '../api-keys/api-key-record.ts';
import { type ApiKeyStore, NotActive } from '../api-keys/api-key-store.ts';
import { keyDifferences, reconcileKeys, withdrawKeys } from '../api-keys/key-reconciliation.ts';
import { SCOPE_NAMES } from '../api-keys/scopes.ts';
import type { GatewayKeys, UsagePlan } from '../api-keys/usage-plan.ts';
import { describeError, log } from '../log.ts';
import { type Change, CommandError, type CommandTable, conflict, pageOf } from './command.ts';

/** API Gateway spreads a new key over its hosts. Until then it responds with 403 INVALID_API_KEY, which clients see as 401. */
const NOTE = 'It can take a few seconds to work; until then, requests return 401.';

const HOUR_MS = 60 * 60 * 1000;

interface KeyCommandParts {
  readonly apiKeys: ApiKeyStore;
  readonly plan: UsagePlan;
  readonly gatewayKeys: GatewayKeys;
  readonly keyPrefix: string;
  readonly now?: () => number;
}

/**
 * What operators do with API keys. The key itself appears only in responses to keys.create and keys.rotate, and is stored
 * nowhere.
 */
export function keyCommands({
  apiKeys,
  plan,
  gatewayKeys,
  keyPrefix,
  now = Date.now,
}: KeyCommandParts): CommandTable<'keys'> {
  const requireKey = async (id: string) => {
    const apiKey = await apiKeys.find(id);
    if (apiKey) return apiKey;
    throw new CommandError('not_found', `No API key has the id ${id}.`, 'key_unknown');
  };

  const keyOf = (seed: string) => derivedKey(keyPrefix, seed, 'key');

  /** The recorded key, with the key itself if it was derived from this seed. */
  const withSecret = (recorded: unknown, seed: string): unknown => {
    const key = keyOf(seed);
    const isOwn = (recorded as ApiKey).id === keyIdOf(hashOf(key));
    return isOwn ? { ...(recorded as ApiKey), key, note: NOTE } : recorded;
  };

  /** Generates a key and adds it to the usage plan first, so that it works as soon as its record is written. */
  const issue = async (
    { seed }: Change,
    fields: Pick<ApiKey, 'name' | 'scopes' | 'expiresAt' | 'lineage'>,
  ) => {
    const key = seed === undefined ? generateKey(keyPrefix) : keyOf(seed);
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
      ...(fields.lineage && { lineage: fields.lineage }),
    };
    await plan.addKey(apiKey.id).catch(asQuotaReached);
    return { key, apiKey, write: apiKeys.addition(apiKey, hash) };
  };

  /** Commits a change that comes with a new key; if that fails, removes the key from the usage plan again. */
  const commitWithKey = async (newKeyId: string, { seed }: Change, commit: () => Promise<void>) => {
    try {
      await commit();
    } catch (error) {
      // A key with a seed is the same in every delivery: unless it was refused, another delivery has committed it, or will.
      if (seed === undefined || error instanceof CommandError) await plan.removeKey(newKeyId);
      throw error;
    }
  };

  const revoke = async (id: string, change: Change): Promise<ApiKey> => {
    const apiKey = await requireKey(id);
    if (apiKey.revokedAt !== null) return apiKey;
    const revokedAt = new Date(now()).toISOString();
    const revoked = { ...apiKey, revokedAt };
    try {
      await change.commit([apiKeys.change(id, { revokedAt })], revoked);
      return revoked;
    } catch (error) {
      // Another operator revoked the key since it was read, which is what was asked for.
      if (error instanceof NotActive) return requireKey(id);
      throw error;
    }
  };

  return {
    'keys.create': {
      async run({ name, expiresAt, scopes = [...SCOPE_NAMES] }, change) {
        // Not checked with the input: the request that created the key may be repeated after the key has expired.
        if (expiresAt !== undefined && Date.parse(expiresAt) <= now()) {
          throw new CommandError('invalid_request', 'expiresAt must be in the future', 'input_invalid');
        }
        const expires = expiresAt === undefined ? null : wholeSecond(Date.parse(expiresAt));
        const { key, apiKey, write } = await issue(change, { name, scopes, expiresAt: expires });
        await commitWithKey(apiKey.id, change, () => change.commit([write], apiKey));
        return { ...apiKey, key, note: NOTE };
      },
      withSecret,
    },

    'keys.list': {
      async run({ compare, ...page }) {
        const { entries, next } = pageOf(await apiKeys.list(), key => `${key.createdAt} ${key.id}`, page);
        const differences = compare && (await keyDifferences({ apiKeys, gatewayKeys, plan, now }));
        return { keys: entries, next, ...(differences && { differences }) };
      },
    },

    'keys.revoke': {
      run: ({ id }, change) => revoke(id, change),
      async followUp({ id }) {
        await plan.flushAuthorizerCache();
        await plan.removeKey(id);
      },
    },

    'keys.forget': {
      async run({ id }, change) {
        const apiKey = await requireKey(id);
        if (isValid(apiKey, now())) {
          const message = `API key ${id} is still valid. Revoke it first.`;
          throw new CommandError('conflict', message, 'key_valid');
        }
        await change.commit([apiKeys.deletion(apiKey)], apiKey);
        return apiKey;
      },
    },

    'keys.rotate': {
      async run({ id, overlapHours }, change) {
        const old = await requireKey(id);
        if (!isValid(old, now())) {
          throw new CommandError('conflict', `API key ${id} is no longer valid.`, 'key_not_valid');
        }
        const end = now() + overlapHours * HOUR_MS;
        // Without an overlap the old key ends at once, not at the end of the second.
        const overlapEnd = overlapHours === 0 ? new Date(end).toISOString() : wholeSecond(end);
        const oldExpiresAt =
          old.expiresAt !== null && old.expiresAt < overlapEnd ? old.expiresAt : overlapEnd;
        const { key, apiKey, write } = await issue(change, { ...old, lineage: lineageOf(old) });
        const result = { ...apiKey, replaces: { id, expiresAt: oldExpiresAt } };
        await commitWithKey(apiKey.id, change, () =>
          change.commit([write, apiKeys.change(id, { expiresAt: oldExpiresAt })], result).catch(asConflict),
        );
        return { ...result, key, note: NOTE };
      },
      // Not an error: the new key is only in this response and must reach the operator. The cache expires in 5 minutes.
      async followUp({ id }) {
        try {
          await plan.flushAuthorizerCache();
          return [];
        } catch (error) {
          const warning = `The old key, ${id}, may work up to five minutes longer: API Gateway didn't flush its cache.`;
          log.error(warning, { error: describeError(error) });
          return [warning];
        }
      },
      withSecret,
    },

    // The audit record of these two comes last, because it says what was done. A run that ends before is repeated, and changes
    // only what is left.
    'keys.reconcile': {
      async run(_, change) {
        const reconciled = await reconcileKeys({ apiKeys, gatewayKeys, plan, now });
        await change.commit([], reconciled);
        return reconciled;
      },
    },

    'keys.withdraw': {
      async run(_, change) {
        const withdrawn = await withdrawKeys({ gatewayKeys, now });
        await change.commit([], withdrawn);
        return withdrawn;
      },
    },
  };
}

/** Another operator revoked the key since it was read. */
function asConflict(error: unknown): never {
  if (!(error instanceof NotActive)) throw error;
  throw conflict(error, 'key_not_valid');
}

function asQuotaReached(error: unknown): never {
  if (!(error instanceof Error) || error.name !== 'LimitExceededException') throw error;
  const message =
    'This AWS account has reached its quota of API keys at API Gateway. Revoke keys that nobody uses, or ask AWS for a higher quota.';
  throw new CommandError('conflict', message, 'key_quota_reached', { cause: error });
}

/** The end of a time's second: the policies that end with a key compare whole seconds. */
function wholeSecond(timeMs: number): string {
  return new Date(Math.ceil(timeMs / 1000) * 1000).toISOString();
}
