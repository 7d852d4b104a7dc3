import {
  APIGatewayClient,
  type ApiKey,
  ConflictException,
  CreateApiKeyCommand,
  CreateUsagePlanKeyCommand,
  DeleteApiKeyCommand,
  FlushStageAuthorizersCacheCommand,
  paginateGetApiKeys,
  paginateGetUsagePlanKeys,
  TooManyRequestsException,
} from '@aws-sdk/client-api-gateway';
import { controlPlaneClient } from '../aws/control-plane.ts';
import { ENVIRONMENT_TAG, KEY_TAG } from '../aws/ownership-tags.ts';
import { Unavailable } from '../aws/retries.ts';
import { usageIdentifierOf } from './api-key.ts';

/** The client of API Gateway, which has its own key for each of ours, and a usage plan with these keys. */
export const gatewayClient = () => controlPlaneClient(APIGatewayClient);

/** The most that API Gateway puts on a page. */
const PAGE_SIZE = 500;

/** API Gateway's own key for one of ours. */
export interface GatewayKey {
  /** The id that API Gateway chose. */
  readonly id: string;
  /** The id of our key. */
  readonly keyId: string;
  readonly createdMs: number;
  /** Somebody may have disabled it at API Gateway, which then refuses every request with our key. */
  readonly isEnabled: boolean;
}

/** A key without a date counts as new, and so is not taken for an orphan. */
const createdMsOf = ({ createdDate }: ApiKey) => createdDate?.getTime() ?? Number.POSITIVE_INFINITY;

/**
 * The keys of this environment at API Gateway. An account has one list of keys for all environments and teams: a key is
 * ours if it has the tag of our environment, and every other key is neither returned nor changed.
 */
export interface GatewayKeys {
  /** Makes sure that API Gateway has a key for one of ours. */
  create(keyId: string): Promise<GatewayKey>;
  /** All of them, or those of one of our keys. */
  list(keyId?: string): Promise<GatewayKey[]>;
  /** Deletes a key that list() returned, and with it its place in the usage plan. */
  remove(key: GatewayKey): Promise<void>;
}

export function gatewayKeys(client: APIGatewayClient, environment: string): GatewayKeys {
  const list = async (keyId = ''): Promise<GatewayKey[]> => {
    // API Gateway finds names that begin with the query.
    const query = keyId ? { nameQuery: keyId } : {};
    const pages = Array.fromAsync(paginateGetApiKeys({ client, pageSize: PAGE_SIZE }, query));
    const keys = (await orGatewayUnavailable(pages)).flatMap(({ items = [] }) => items);
    const found = keys.flatMap(key => own(key, environment));
    return keyId ? found.filter(key => key.keyId === keyId) : found;
  };

  return {
    list,

    async create(keyId) {
      const tags = { [ENVIRONMENT_TAG]: environment, [KEY_TAG]: keyId };
      const value = usageIdentifierOf(keyId);
      try {
        const created = await orGatewayUnavailable(
          client.send(new CreateApiKeyCommand({ name: keyId, value, enabled: true, tags })),
        );
        return { id: created.id ?? '', keyId, createdMs: createdMsOf(created), isEnabled: true };
      } catch (error) {
        // The SDK repeats a request whose response was lost: the first request may have created this key.
        const [existing] = error instanceof ConflictException ? await list(keyId) : [];
        if (existing) return existing;
        throw error;
      }
    },

    async remove({ id, keyId }) {
      try {
        await orGatewayUnavailable(client.send(new DeleteApiKeyCommand({ apiKey: id })));
      } catch (error) {
        // The permission depends on the tag, which a deleted key doesn't have: AWS may then deny access.
        const isGone = !(error instanceof Unavailable) && !(await list(keyId)).some(key => key.id === id);
        if (!isGone) throw error;
      }
    },
  };
}

function own(key: ApiKey, environment: string): GatewayKey[] {
  const { id, tags, enabled } = key;
  const keyId = tags?.[KEY_TAG];
  if (!id || !keyId || tags?.[ENVIRONMENT_TAG] !== environment) return [];
  return [{ id, keyId, createdMs: createdMsOf(key), isEnabled: enabled !== false }];
}

interface UsagePlanIds {
  readonly usagePlanId: string;
  readonly restApiId: string;
  readonly stageName: string;
}

/**
 * The usage plan, with which API Gateway limits the rate of each API key. It counts requests by API Gateway's own keys; the
 * authorizer says which of them a request counts for.
 */
export interface UsagePlan {
  /** Makes sure that a key is in the usage plan. */
  addKey(keyId: string): Promise<void>;
  /** Makes sure that API Gateway no longer has a key for one of ours. */
  removeKey(keyId: string): Promise<void>;
  /** Makes sure that a key, which API Gateway has, is in the usage plan; false if it was. */
  addMember(key: GatewayKey): Promise<boolean>;
  /** The ids that API Gateway gave the keys in the plan, including other teams'. */
  members(): Promise<Set<string>>;
  /** Makes API Gateway call the authorizer again for every key, instead of using a cached response. */
  flushAuthorizerCache(): Promise<void>;
}

export function usagePlan(
  client: APIGatewayClient,
  keys: GatewayKeys,
  { usagePlanId, restApiId, stageName }: UsagePlanIds,
): UsagePlan {
  const members = async (nameQuery?: string): Promise<Set<string>> => {
    const query = { usagePlanId, ...(nameQuery && { nameQuery }) };
    const pages = Array.fromAsync(paginateGetUsagePlanKeys({ client, pageSize: PAGE_SIZE }, query));
    const keys = (await orGatewayUnavailable(pages)).flatMap(({ items = [] }) => items);
    return new Set(keys.map(({ id = '' }) => id));
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

/** Throws Unavailable in place of the SDK's error if API Gateway throttled the call or failed itself. */
async function orGatewayUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    const isOutage =
      error instanceof TooManyRequestsException || (error as { $fault?: string }).$fault !== 'client';
    throw isOutage ? new Unavailable('API Gateway did not respond in time.', { cause: error }) : error;
  }
}
