import * as z from 'zod';
import { isForStage, type UsagePlan } from '../apigateway/usage-plans.ts';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { requireApiKey } from './api-key-operations.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { itemsPage, PAGE_QUERY, PageQuery } from './page-query.ts';

/** The operations on the usage plans that are deployed. */
export function usagePlanOperations(
  usagePlans: () => readonly UsagePlan[],
  apiKeys: ApiKeys,
): readonly RestOperation[] {
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
    restOperation({
      name: 'GetUsagePlans',
      http: { route: 'GET /usageplans', query: { ...PAGE_QUERY, keyId: 'keyId' } },
      input: PageQuery.extend({ keyId: z.string().optional() }),
      perform({ keyId, ...request }) {
        const ofKey = keyId === undefined ? undefined : requireApiKey(apiKeys, keyId).usagePlanIds;
        const plans = usagePlans().filter(({ id }) => ofKey?.includes(id) ?? true);
        const ordered = plans.toSorted((a, b) => (a.id < b.id ? -1 : 1));
        return itemsPage(ordered, request, planRepresentation);
      },
    }),

    restOperation({
      name: 'GetUsagePlanKeys',
      http: { route: 'GET /usageplans/{usagePlanId}/keys', query: { ...PAGE_QUERY, nameQuery: 'name' } },
      input: PageQuery.extend({ usagePlanId: z.string(), nameQuery: z.string().default('') }),
      perform({ usagePlanId, nameQuery, ...request }) {
        const plan = requirePlan(usagePlanId);
        const members = apiKeys
          .list()
          .filter(
            ({ usagePlanIds, name = '' }) => usagePlanIds.includes(plan.id) && name.startsWith(nameQuery),
          );
        return itemsPage(members, request, memberRepresentation);
      },
    }),

    restOperation({
      name: 'CreateUsagePlanKey',
      http: { route: 'POST /usageplans/{usagePlanId}/keys', status: 201 },
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

function planRepresentation({ id, name, description, stages, ratePerSecond, burst }: UsagePlan) {
  const isThrottled = ratePerSecond !== undefined || burst !== undefined;
  return {
    id,
    name,
    description,
    apiStages: stages.map(({ apiId, stageName }) => ({ apiId, stage: stageName })),
    ...(isThrottled && { throttle: { rateLimit: ratePerSecond, burstLimit: burst } }),
  };
}
