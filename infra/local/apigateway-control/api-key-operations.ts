import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import type { AccountRates } from './account-rates.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { itemsPage, PAGE_QUERY, PageQuery } from './page-query.ts';
import { taggingPermissions } from './tagging-permissions.ts';

/** Of an account and region. */
const MAX_API_KEYS = 10_000;

const NewApiKey = z.strictObject({
  name: z.string().optional(),
  description: z.string().optional(),
  enabled: z.boolean().default(false),
  value: z
    .string()
    .min(20, 'API Key value should be at least 20 characters')
    .max(128, 'API Key value exceeds maximum size of 128 characters')
    .regex(/^[A-Za-z0-9]*$/, 'API Key value should have letters and digits only')
    .optional(),
  tags: z.record(z.string(), z.string()).optional(),
  // Ids are always distinct from values.
  generateDistinctId: z.boolean().optional(),
});

export function apiKeyOperations(
  apiKeys: ApiKeys,
  rates: Pick<AccountRates, 'createApiKey' | 'deleteApiKey'>,
  now: () => number,
): readonly RestOperation[] {
  return [
    restOperation({
      name: 'CreateApiKey',
      http: { route: 'POST /apikeys', status: 201 },
      input: NewApiKey,
      requestTags: ({ tags }) => tags,
      alsoRequires: ({ tags }) => taggingPermissions(tags, '/apikeys'),
      rate: rates.createApiKey,
      perform({ generateDistinctId: _, value = newValue(), ...rest }) {
        if (apiKeys.withValue(value) !== undefined) {
          throw new ApiGatewayError('ConflictException', 'API Key already exists');
        }
        if (apiKeys.count >= MAX_API_KEYS) {
          const message = `The maximum number of API keys, ${MAX_API_KEYS}, has been reached.`;
          throw new ApiGatewayError('LimitExceededException', message);
        }
        const nowSeconds = Math.floor(now() / 1000);
        const apiKey = apiKeys.add({ ...rest, value, createdDate: nowSeconds, lastUpdatedDate: nowSeconds });
        return representation(apiKey, true);
      },
    }),

    restOperation({
      name: 'GetApiKeys',
      http: {
        route: 'GET /apikeys',
        query: { ...PAGE_QUERY, nameQuery: 'name', includeValues: 'includeValues' },
      },
      input: PageQuery.extend({
        nameQuery: z.string().default(''),
        includeValues: z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false),
      }),
      perform({ nameQuery, includeValues, ...request }) {
        const listed = apiKeys.list().filter(apiKey => (apiKey.name ?? '').startsWith(nameQuery));
        return itemsPage(listed, request, apiKey => representation(apiKey, includeValues));
      },
    }),

    restOperation({
      name: 'DeleteApiKey',
      http: { route: 'DELETE /apikeys/{apiKey}', status: 202 },
      input: z.strictObject({ apiKey: z.string() }),
      resourceTags: ({ apiKey }) => apiKeys.find(apiKey)?.tags,
      rate: rates.deleteApiKey,
      perform({ apiKey }) {
        apiKeys.remove(requireApiKey(apiKeys, apiKey).id);
      },
    }),
  ];
}

export function requireApiKey(apiKeys: ApiKeys, id: string): ApiKey {
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
