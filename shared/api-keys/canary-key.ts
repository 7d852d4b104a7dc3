import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { transact } from '../aws/transaction.ts';
import { derivedKey, hashOf, hintOf, keyIdOf } from './api-key.ts';
import type { ApiKeyStore } from './api-key-store.ts';
import type { GatewayKeys, UsagePlan } from './usage-plan.ts';

/** A shorter secret, which somebody may have set in place of the generated one, could be guessed. */
const SHORTEST_SECRET = 32;

/**
 * Reads the secret that the canary's keys are derived from. It isn't in the function's configuration, which many may read.
 */
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
  /** The secret that the canary's keys are derived from. */
  readonly secret: string;
}

interface CanaryKey {
  readonly key: string;
  /** It was just created, so API Gateway may not know it everywhere yet. */
  readonly isNew: boolean;
}

/**
 * The canary's API key, which is created once. It's an ordinary key that may read pets, so whatever happens to clients' keys
 * happens to it. It isn't repaired here if its record or usage plan is lost: the API refuses it then, like clients' keys. A
 * revocation or a new secret leads to another key.
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
