import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { isForStage, type UsagePlan } from '../apigateway/usage-plans.ts';
import { type Operation, operationOf } from '../aws-api/operation.ts';
import {
  type AccountRates,
  ApiGatewayError,
  itemsPage,
  PageRequest,
  taggingPermissions,
} from './api-gateway-operation.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';

const operation = operationOf<typeof import('@aws-sdk/client-api-gateway')>();

/** Of an account and region. */
const MAX_API_KEYS = 10_000;

const NewApiKey = z.strictObject({
  name: z.string().max(1024, 'API Key name exceeds maximum size of 1024 characters').optional(),
  description: z.string().optional(),
  enabled: z.boolean().default(false),
  value: z
    .string()
    .regex(/^(.{20,})?$/, 'API Key value should be at least 20 characters')
    .max(128, 'API Key value exceeds maximum size of 128 characters')
    .regex(/^[A-Za-z0-9]*$/, 'API Key value should have letters and digits only')
    .default(''),
  tags: z.record(z.string(), z.string()).optional(),
  // Ids are always distinct from values.
  generateDistinctId: z.boolean().optional(),
});

export function apiKeyOperations(
  apiKeys: ApiKeys,
  rates: Pick<AccountRates, 'createApiKey' | 'deleteApiKey'>,
  now: () => number,
): readonly Operation[] {
  return [
    operation({
      name: 'CreateApiKey',
      input: NewApiKey,
      requestTags: ({ tags }) => tags,
      alsoRequires: ({ tags }) => taggingPermissions(tags, '/apikeys'),
      rate: rates.createApiKey,
      perform({ generateDistinctId: _, value: given, ...rest }) {
        const value = given || newValue();
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

    operation({
      name: 'GetApiKeys',
      input: PageRequest.extend({
        nameQuery: z.string().default(''),
        includeValues: z.boolean().default(false),
      }),
      perform({ nameQuery, includeValues, ...request }) {
        const listed = apiKeys.list().filter(apiKey => (apiKey.name ?? '').startsWith(nameQuery));
        return itemsPage(listed, request, apiKey => representation(apiKey, includeValues));
      },
    }),

    operation({
      name: 'DeleteApiKey',
      input: z.strictObject({ apiKey: z.string() }),
      resourceTags: ({ apiKey }) => apiKeys.find(apiKey)?.tags,
      rate: rates.deleteApiKey,
      perform({ apiKey }) {
        apiKeys.remove(requireApiKey(apiKeys, apiKey).id);
      },
    }),
  ];
}

function requireApiKey(apiKeys: ApiKeys, id: string): ApiKey {
  const apiKey = apiKeys.find(id);
  if (apiKey === undefined) {
    throw new ApiGatewayError('NotFoundException', 'Invalid API Key identifier specified');
  }
  return apiKey;
}

function representation(
  { value, usagePlanIds: _, createdDate, lastUpdatedDate, ...shown }: ApiKey,
  includeValue: boolean,
) {
  return {
    ...shown,
    createdDate: new Date(createdDate * 1000),
    lastUpdatedDate: new Date(lastUpdatedDate * 1000),
    stageKeys: [],
    ...(includeValue && { value }),
  };
}

/** 40 letters and digits, as API Gateway's own. */
function newValue(): string {
  return randomBytes(20).toString('hex');
}

/** The operations on the usage plans that are deployed. */
export function usagePlanOperations(
  usagePlans: () => readonly UsagePlan[],
  apiKeys: ApiKeys,
): readonly Operation[] {
  function requirePlan(id: string): UsagePlan {
    const plan = usagePlans().find(candidate => candidate.id === id);
    if (plan === undefined) throw new ApiGatewayError('NotFoundException', 'Invalid Usage Plan ID specified');
    return plan;
  }

  /** A key belongs to at most one plan of a stage: otherwise it is undefined which plan limits its requests. */
  function refuseSecondMembership({ usagePlanIds }: ApiKey, plan: UsagePlan): void {
    if (usagePlanIds.includes(plan.id)) {
      throw new ApiGatewayError('ConflictException', 'API Key already belongs to this usage plan');
    }
    const shared = usagePlans()
      .filter(({ id }) => usagePlanIds.includes(id))
      .flatMap(({ stages }) => stages)
      .find(({ apiId, stageName }) => isForStage(plan, apiId, stageName));
    if (shared !== undefined) {
      const message = `API Key already belongs to another usage plan of the stage ${shared.apiId}:${shared.stageName}`;
      throw new ApiGatewayError('ConflictException', message);
    }
  }

  return [
    operation({
      name: 'GetUsagePlans',
      input: PageRequest,
      perform(request) {
        const ordered = usagePlans().toSorted((a, b) => (a.id < b.id ? -1 : 1));
        return itemsPage(ordered, request, ({ id, stages, limits: { ratePerSecond, burst } }) => ({
          id,
          apiStages: stages.map(({ apiId, stageName }) => ({ apiId, stage: stageName })),
          throttle: { rateLimit: ratePerSecond, burstLimit: burst },
        }));
      },
    }),

    operation({
      name: 'GetUsagePlanKeys',
      input: PageRequest.extend({ usagePlanId: z.string(), nameQuery: z.string().default('') }),
      perform({ usagePlanId, nameQuery, ...request }) {
        // A plan that does not exist has no keys.
        const members = apiKeys
          .list()
          .filter(
            ({ usagePlanIds, name = '' }) => usagePlanIds.includes(usagePlanId) && name.startsWith(nameQuery),
          );
        return itemsPage(members, request, memberRepresentation);
      },
    }),

    operation({
      name: 'CreateUsagePlanKey',
      input: z.strictObject({
        usagePlanId: z.string(),
        keyId: z.string(),
        keyType: z.literal('API_KEY'),
      }),
      perform({ usagePlanId, keyId }) {
        const plan = requirePlan(usagePlanId);
        const apiKey = requireApiKey(apiKeys, keyId);
        refuseSecondMembership(apiKey, plan);
        apiKeys.addToPlan(apiKey.id, plan.id);
        return memberRepresentation(apiKey);
      },
    }),
  ];
}

function memberRepresentation({ id, value, name }: ApiKey) {
  return { id, type: 'API_KEY', value, name };
}
