import { type Throttle, throttle } from '../aws-api/rate-limits.ts';
import type { Declared, UsagePlan as UsagePlanProperties } from './declared-resources.ts';
import { GatewayFault } from './gateway-fault.ts';
import type { GatewayServices, IssuedApiKey } from './gateway-services.ts';

/** A usage plan: the rate at which each of its API keys may call the plan's stages. */
export interface UsagePlan {
  readonly id: string;
  readonly stages: readonly { readonly apiId: string; readonly stageName: string }[];
  /** The limits for each of its API keys. */
  readonly limits: { readonly ratePerSecond: number | undefined; readonly burst: number | undefined };
  /** Whether one more request of an API key is within the limits. Each key has one bucket for all stages. */
  mayPass(apiKeyId: string): boolean;
}

export function usagePlan(
  { physicalId, properties }: Declared<UsagePlanProperties>,
  now: () => number,
): UsagePlan {
  const { ApiStages, Throttle } = properties;
  const limits = { ratePerSecond: Throttle?.RateLimit, burst: Throttle?.BurstLimit };
  const buckets = new Map<string, Throttle>();
  return {
    id: physicalId,
    stages: ApiStages.map(({ ApiId, Stage }) => ({ apiId: ApiId, stageName: Stage })),
    limits,
    mayPass(apiKeyId) {
      const bucket = buckets.get(apiKeyId) ?? throttle(limits, now);
      buckets.set(apiKeyId, bucket);
      return bucket();
    },
  };
}

/** Whether a usage plan applies to a stage. */
export function isForStage({ stages }: UsagePlan, apiId: string, stageName: string): boolean {
  return stages.some(stage => stage.apiId === apiId && stage.stageName === stageName);
}

/** Returns the API key with the value that a request has, or throws the GatewayFault to respond with. */
export type RequireApiKey = (value: string | undefined, variables: Map<string, string>) => IssuedApiKey;

/** The check of the API key for the methods of a stage that require one. */
export function apiKeyRequirement(
  usagePlans: readonly UsagePlan[],
  { findApiKey }: GatewayServices,
): RequireApiKey {
  return (value, variables) => {
    const apiKey = value === undefined ? undefined : findApiKey(value);
    const plan = usagePlans.find(({ id }) => apiKey?.usagePlanIds.includes(id));
    if (!apiKey?.enabled || plan === undefined) throw new GatewayFault('INVALID_API_KEY');
    variables.set('identity.apiKey', apiKey.value);
    variables.set('identity.apiKeyId', apiKey.id);
    if (!plan.mayPass(apiKey.id)) throw new GatewayFault('THROTTLED');
    return apiKey;
  };
}
