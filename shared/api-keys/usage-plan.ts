import {
  type APIGatewayClient,
  ConflictException,
  CreateUsagePlanKeyCommand,
  FlushStageAuthorizersCacheCommand,
  paginateGetUsagePlanKeys,
} from '@aws-sdk/client-api-gateway';
import { type GatewayKey, type GatewayKeys, orGatewayUnavailable } from './gateway-keys.ts';

interface UsagePlanIds {
  readonly usagePlanId: string;
  readonly restApiId: string;
  readonly stageName: string;
}

/**
 * The usage plan, with which API Gateway limits the rate of each API key. It counts the requests of each key by a key of
 * its own (gateway-keys.ts); the authorizer decides for which of those a request counts.
 */
export interface UsagePlan {
  /** Makes sure that a key is in the usage plan. */
  addKey(keyId: string): Promise<void>;
  /** Makes sure that API Gateway has no key for one of ours any more. */
  removeKey(keyId: string): Promise<void>;
  /** Makes sure that a key, which API Gateway has, is in the usage plan; false if it was. */
  addMember(key: GatewayKey): Promise<boolean>;
  /** The ids that API Gateway gave the keys in the plan, whosever they are. */
  members(): Promise<Set<string>>;
  /** Makes API Gateway call the authorizer again for every key, instead of using a cached answer. */
  flushAuthorizerCache(): Promise<void>;
}

/** The most that API Gateway puts on a page. */
const PAGE_SIZE = 500;

export function usagePlan(
  client: APIGatewayClient,
  keys: GatewayKeys,
  { usagePlanId, restApiId, stageName }: UsagePlanIds,
): UsagePlan {
  const members = async (nameQuery?: string): Promise<Set<string>> => {
    const ids = new Set<string>();
    const query = { usagePlanId, ...(nameQuery && { nameQuery }) };
    const pages = paginateGetUsagePlanKeys({ client, pageSize: PAGE_SIZE }, query);
    await orGatewayUnavailable(
      (async () => {
        for await (const { items = [] } of pages) for (const { id = '' } of items) ids.add(id);
      })(),
    );
    return ids;
  };

  const addMember = async ({ id, keyId }: GatewayKey): Promise<boolean> => {
    try {
      await orGatewayUnavailable(
        client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId: id, keyType: 'API_KEY' })),
      );
      return true;
    } catch (error) {
      // A conflict with another plan of the stage looks the same as a conflict with this one.
      const isMember = error instanceof ConflictException && (await members(keyId)).has(id);
      if (isMember) return false;
      throw error;
    }
  };

  return {
    addMember,
    members: () => members(),

    async addKey(keyId) {
      await addMember(await keys.create(keyId));
    },

    async removeKey(keyId) {
      for (const key of await keys.list(keyId)) await keys.remove(key);
    },

    async flushAuthorizerCache() {
      await orGatewayUnavailable(
        client.send(new FlushStageAuthorizersCacheCommand({ restApiId, stageName })),
      );
    },
  };
}
