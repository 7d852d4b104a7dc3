import {
  APIGatewayClient,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  FlushStageAuthorizersCacheCommand,
  GetApiKeysCommand,
  NotFoundException,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { Unavailable } from '../aws/unavailable.ts';

interface UsagePlanIds {
  readonly usagePlanId: string;
  readonly restApiId: string;
  readonly stageName: string;
}

/**
 * API Gateway's side of the API keys. It counts the requests of each key by a key of its own, whose name and value are
 * the id of ours. That value gives no access: the authorizer decides for which of API Gateway's keys a request counts.
 */
export interface UsagePlan {
  /** Adds a key to the usage plan. */
  addKey(keyId: string): Promise<void>;
  /** Removes a key from the usage plan, if it is in it. */
  removeKey(keyId: string): Promise<void>;
  /** Makes API Gateway call the authorizer again for every key, instead of using a cached answer. */
  flushAuthorizerCache(): Promise<void>;
}

/** API Gateway allows an account a few changes of keys per second; six attempts outlast a burst of them. */
const ATTEMPTS = 6;

export function usagePlan({ usagePlanId, restApiId, stageName }: UsagePlanIds): UsagePlan {
  const gateway = new APIGatewayClient({ maxAttempts: ATTEMPTS });
  return {
    async addKey(keyId) {
      const { id } = await orGatewayUnavailable(
        gateway.send(new CreateApiKeyCommand({ name: keyId, value: keyId, enabled: true })),
      );
      await orGatewayUnavailable(
        gateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' })),
      );
    },

    async removeKey(keyId) {
      const { items = [] } = await orGatewayUnavailable(
        gateway.send(new GetApiKeysCommand({ nameQuery: keyId })),
      );
      for (const { id: apiKey } of items) {
        await orGatewayUnavailable(gateway.send(new DeleteApiKeyCommand({ apiKey }))).catch(ignoreNotFound);
      }
    },

    async flushAuthorizerCache() {
      await orGatewayUnavailable(
        gateway.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName })),
      );
    },
  };
}

/** Throws Unavailable in place of the SDK's error when API Gateway throttled the call or failed itself. */
async function orGatewayUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    const isOutage =
      error instanceof TooManyRequestsException || (error as { $fault?: string }).$fault !== 'client';
    throw isOutage ? new Unavailable('API Gateway did not answer in time.', { cause: error }) : error;
  }
}

/** Another process has deleted the key, which is the intended result. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFoundException)) throw error;
}
