import * as z from 'zod';
import { isForStage, type UsagePlan } from '../apigateway/usage-plans.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { existing } from './api-key-operations.ts';
import type { ApiKey, ApiKeys } from './api-keys.ts';
import { type Operations, read } from './operation.ts';
import { PageQuery, page } from './page.ts';

const NewUsagePlanKey = z.strictObject({ keyId: z.string(), keyType: z.literal('API_KEY') });
const UsagePlanKeysQuery = PageQuery.extend({ name: z.string().default('') });
const UsagePlansQuery = PageQuery.extend({ keyId: z.string().optional() });

/** GetUsagePlans, CreateUsagePlanKey, GetUsagePlanKeys and DeleteUsagePlanKey, on the plans that are deployed. */
export function usagePlanOperations(usagePlans: () => readonly UsagePlan[], apiKeys: ApiKeys): Operations {
  function existingPlan(id = ''): UsagePlan {
    const plan = usagePlans().find(candidate => candidate.id === id);
    if (plan === undefined) throw new ApiGatewayError('NotFoundException', 'Invalid Usage Plan ID specified');
    return plan;
  }

  /** A key belongs to one plan of a stage at most, or it would not be clear which of them counts its requests. */
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

  return {
    'GET /usageplans'({ query }) {
      const { keyId, ...paging } = read(UsagePlansQuery, query);
      const ofKey = keyId === undefined ? undefined : existing(apiKeys, keyId).usagePlanIds;
      const plans = usagePlans().filter(({ id }) => ofKey?.includes(id) ?? true);
      const ordered = plans.toSorted((a, b) => (a.id < b.id ? -1 : 1));
      return { status: 200, body: page(ordered, paging, planRepresentation) };
    },

    'POST /usageplans/{usagePlanId}/keys'({ parameters, body }) {
      const { keyId } = read(NewUsagePlanKey, body);
      const plan = existingPlan(parameters.usagePlanId);
      const apiKey = existing(apiKeys, keyId);
      refuseSecondMembership(apiKey, plan);
      apiKeys.addToPlan(apiKey.id, plan.id);
      return { status: 201, body: keyRepresentation(apiKey) };
    },

    'GET /usageplans/{usagePlanId}/keys'({ parameters, query }) {
      const { name, ...paging } = read(UsagePlanKeysQuery, query);
      const plan = existingPlan(parameters.usagePlanId);
      const members = apiKeys
        .list()
        .filter(({ usagePlanIds }) => usagePlanIds.includes(plan.id))
        .filter(apiKey => (apiKey.name ?? '').startsWith(name));
      return { status: 200, body: page(members, paging, keyRepresentation) };
    },

    'DELETE /usageplans/{usagePlanId}/keys/{keyId}'({ parameters }) {
      const plan = existingPlan(parameters.usagePlanId);
      const apiKey = apiKeys.find(parameters.keyId ?? '');
      if (!apiKey?.usagePlanIds.includes(plan.id)) {
        throw new ApiGatewayError('NotFoundException', 'Invalid Usage Plan Key identifier specified');
      }
      apiKeys.removeFromPlan(apiKey.id, plan.id);
      return { status: 202 };
    },
  };
}

function keyRepresentation({ id, value, name }: ApiKey) {
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
