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

export interface UsagePlanIds {
  readonly usagePlanId: string;
  readonly restApiId: string;
  readonly stageName: string;
}

/**
 * API Gateway's side of our keys: it counts the requests of each key by a key of its own, whose name and value are
 * our key's id. That value opens nothing: which of its keys a request counts for, the authorizer says.
 */
export interface UsagePlan {
  /** Lets a key take part. */
  addKey(keyId: string): Promise<void>;
  /** Takes a key out, if it takes part. */
  removeKey(keyId: string): Promise<void>;
  /** Has the authorizer asked again about every key from now on. */
  flushAuthorizerCache(): Promise<void>;
}

/** Changes of keys are rare but limited to a few per second and account; a rush of them is worth some patience. */
const ATTEMPTS = 6;

export function usagePlan({ usagePlanId, restApiId, stageName }: UsagePlanIds): UsagePlan {
  const gateway = new APIGatewayClient({ maxAttempts: ATTEMPTS });
  return {
    async addKey(keyId) {
      const { id } = await orUnavailable(
        gateway.send(new CreateApiKeyCommand({ name: keyId, value: keyId, enabled: true })),
      );
      await orUnavailable(
        gateway.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' })),
      );
    },

    async removeKey(keyId) {
      const { items = [] } = await orUnavailable(gateway.send(new GetApiKeysCommand({ nameQuery: keyId })));
      for (const { id: apiKey } of items) {
        await orUnavailable(gateway.send(new DeleteApiKeyCommand({ apiKey }))).catch(ignoreNotFound);
      }
    },

    async flushAuthorizerCache() {
      await orUnavailable(gateway.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName })));
    },
  };
}

async function orUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    const isOutage =
      error instanceof TooManyRequestsException || (error as { $fault?: string }).$fault !== 'client';
    throw isOutage ? new Unavailable('API Gateway did not answer in time.', { cause: error }) : error;
  }
}

/** Someone else has deleted it, which is what was wanted. */
function ignoreNotFound(error: unknown): void {
  if (!(error instanceof NotFoundException)) throw error;
}
