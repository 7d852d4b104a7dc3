import { apiKeyStore } from '../../shared/api-keys/api-key-store.ts';
import { gatewayClient } from '../../shared/api-keys/gateway-client.ts';
import { gatewayKeys } from '../../shared/api-keys/gateway-keys.ts';
import { type RemovedKeys, removeOrphans } from '../../shared/api-keys/key-reconciliation.ts';
import { required } from '../../shared/environment.ts';

const parts = {
  apiKeys: apiKeyStore(required('API_KEYS_TABLE')),
  gatewayKeys: gatewayKeys(gatewayClient(), required('ENVIRONMENT')),
};

/** Every few minutes: removes what API Gateway still has of keys that are revoked, expired or were never recorded. */
export function handler(): Promise<RemovedKeys> {
  return removeOrphans(parts);
}
