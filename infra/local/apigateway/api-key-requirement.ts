import { GatewayFault } from './gateway-fault.ts';
import type { GatewayServices } from './gateway-services.ts';
import type { UsagePlan } from './usage-plans.ts';

/** The API key whose usage plan throttles a request. */
export interface RequestApiKey {
  readonly id: string;
  readonly value: string;
}

/** Returns the API key with the value that a request has, or throws the GatewayFault to answer with. */
export type RequireApiKey = (value: string | undefined, variables: Map<string, string>) => RequestApiKey;

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
    return { id: apiKey.id, value: apiKey.value };
  };
}
