import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { type RemovedKeys, removeOrphans } from '../../shared/api-keys/key-reconciliation.ts';
import { gatewayClient, gatewayKeys } from '../../shared/api-keys/usage-plan.ts';
import { required } from '../../shared/environment.ts';
import { logCompletedRun } from '../../shared/log.ts';

const parts = {
  apiKeys: apiKeyStore(required('API_KEYS_TABLE')),
  gatewayKeys: gatewayKeys(gatewayClient(), required('ENVIRONMENT')),
};

/** Every few minutes: removes keys from API Gateway that are revoked, expired or were never recorded. */
export async function handler(): Promise<RemovedKeys> {
  const keys = await removeOrphans(parts);
  logCompletedRun({ removed: keys.removed.length, remaining: keys.remaining });
  return keys;
}
