import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { ApiGatewayError } from './api-gateway-error.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { Flag, type Operations, read } from './operation.ts';
import { PageQuery, page } from './page.ts';

const NewApiKey = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean().default(false),
  value: z
    .string()
    .min(20, 'API Key value should be at least 20 characters')
    .max(128, 'API Key value exceeds maximum size of 128 characters')
    .optional(),
  tags: z.record(z.string(), z.string()).optional(),
  // Ids are always distinct from values.
  generateDistinctId: z.boolean().optional(),
});

const NoQuery = z.strictObject({});
const OneKeyQuery = z.strictObject({ includeValue: Flag });
const KeysQuery = PageQuery.extend({ name: z.string().default(''), includeValues: Flag });

/** CreateApiKey, GetApiKey, GetApiKeys and DeleteApiKey. */
export function apiKeyOperations(apiKeys: ApiKeys, now: () => number): Operations {
  return {
    'POST /apikeys'({ query, body }) {
      read(NoQuery, query);
      const { generateDistinctId: _, value = newValue(), ...rest } = read(NewApiKey, body);
      if (apiKeys.withValue(value) !== undefined) {
        throw new ApiGatewayError('ConflictException', 'API Key already exists');
      }
      const nowSeconds = Math.floor(now() / 1000);
      const apiKey = apiKeys.add({ ...rest, value, createdDate: nowSeconds, lastUpdatedDate: nowSeconds });
      return { status: 201, body: representation(apiKey, true) };
    },

    'GET /apikeys'({ query }) {
      const { name, includeValues, ...paging } = read(KeysQuery, query);
      const named = apiKeys.list().filter(apiKey => (apiKey.name ?? '').startsWith(name));
      return { status: 200, body: page(named, paging, apiKey => representation(apiKey, includeValues)) };
    },

    'GET /apikeys/{apiKey}'({ parameters, query }) {
      const { includeValue } = read(OneKeyQuery, query);
      return { status: 200, body: representation(existing(apiKeys, parameters.apiKey), includeValue) };
    },

    'DELETE /apikeys/{apiKey}'({ parameters, query }) {
      read(NoQuery, query);
      apiKeys.remove(existing(apiKeys, parameters.apiKey).id);
      return { status: 202 };
    },
  };
}

/** The API key of an id, or the error for one that is not there. */
export function existing(apiKeys: ApiKeys, id = ''): ApiKey {
  const apiKey = apiKeys.find(id);
  if (apiKey === undefined) {
    throw new ApiGatewayError('NotFoundException', 'Invalid API Key identifier specified');
  }
  return apiKey;
}

function representation({ value, usagePlanIds: _, ...shown }: ApiKey, includeValue: boolean) {
  return { ...shown, stageKeys: [], ...(includeValue && { value }) };
}

/** 40 letters and digits, as API Gateway's own. */
function newValue(): string {
  return randomBytes(20).toString('hex');
}
