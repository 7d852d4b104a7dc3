import { GatewayFault } from './gateway-fault.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { UsagePlan } from './usage-plans.ts';

/** The API key that a request is counted by. */
export interface RequestApiKey {
  readonly id: string;
  readonly value: string;
}

/** Lets a request with the value of an API key pass, or throws the gateway's answer to it. */
export type RequireApiKey = (value: string | undefined, variables: Map<string, string>) => RequestApiKey;

/** What a stage with these usage plans asks of requests to methods that require an API key. */
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
    return { id: apiKey.id, value: apiKey.value };
  };
}
