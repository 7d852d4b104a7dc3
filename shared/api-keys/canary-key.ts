import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { transact } from '../aws/transaction.ts';
import { derivedKey, hashOf, hintOf, keyIdOf } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { GatewayKeys, UsagePlan } from './usage-plan.ts';

/** A shorter secret, which somebody may have put in place of the generated one, could be guessed. */
const SHORTEST_SECRET = 32;

/** Reads what the keys of the canary are derived from: a function's configuration, which many may read, doesn't have it. */
export function canarySecret(SecretId: string): () => Promise<string> {
  const client = controlPlaneClient(SecretsManagerClient);
  return async () => {
    const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }));
    return SecretString;
  };
}

interface CanaryKeyParts {
  readonly apiKeys: Pick<ApiKeyStore, 'find' | 'addition'>;
  readonly gatewayKeys: Pick<GatewayKeys, 'list'>;
  readonly plan: Pick<UsagePlan, 'addKey'>;
  readonly keyPrefix: string;
  /** What the keys of the canary are derived from. */
  readonly secret: string;
}

interface CanaryKey {
  readonly key: string;
  /** It was created just now, and API Gateway does not know it everywhere. */
  readonly isNew: boolean;
}

/**
 * The API key of the canary, which is created once. It is an ordinary key that may read pets: what happens to the keys of
 * clients happens to it. A lost record or usage plan is not mended here: the API refuses the key, as it does those of
 * clients. After a revocation there is another key, and after a change of the secret.
 */
export async function canaryKey(parts: CanaryKeyParts, generation = 1): Promise<CanaryKey> {
  const { apiKeys, gatewayKeys, plan, keyPrefix, secret } = parts;
  if (secret.length < SHORTEST_SECRET) {
    throw new Error(`The secret of the canary has fewer than ${SHORTEST_SECRET} characters.`);
  }
  const key = derivedKey(keyPrefix, secret, `canary ${generation}`);
  const hash = hashOf(key);
  const id = keyIdOf(hash);
  const record = await apiKeys.find(id);
  if (record) return record.revokedAt === null ? { key, isNew: false } : canaryKey(parts, generation + 1);
  if ((await gatewayKeys.list(id)).length > 0) return { key, isNew: false };
  await plan.addKey(id);
  const addition = apiKeys.addition(
    {
      id,
      name: 'canary',
      hint: hintOf(keyPrefix, key),
      scopes: ['pets:read'],
      createdAt: new Date().toISOString(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
    },
    hash,
  );
  await transact([addition]);
  return { key, isNew: true };
}
