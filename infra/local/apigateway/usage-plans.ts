import { type Throttle, throttle } from '../aws-api/throttle.ts';
import type { Declared } from './declared-resources.ts';
import type { UsagePlan as UsagePlanProperties } from './resource-properties.ts';

/** A usage plan: the rate at which each of its API keys may call the plan's stages. */
export interface UsagePlan {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly stages: readonly { readonly apiId: string; readonly stageName: string }[];
  readonly ratePerSecond: number | undefined;
  readonly burst: number | undefined;
  /** Whether one more request of an API key is within the limits. Each key has one bucket for all stages. */
  mayPass(apiKeyId: string): boolean;
}

export function usagePlan(
  { physicalId, properties }: Declared<UsagePlanProperties>,
  now: () => number,
): UsagePlan {
  const { UsagePlanName, Description, ApiStages, Throttle } = properties;
  const limits = { ratePerSecond: Throttle?.RateLimit, burst: Throttle?.BurstLimit };
  const buckets = new Map<string, Throttle>();
  return {
    id: physicalId,
    name: UsagePlanName ?? physicalId,
    description: Description,
    stages: ApiStages.map(({ ApiId, Stage }) => ({ apiId: ApiId, stageName: Stage })),
    ...limits,
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
