import { onTestFinished, vi } from 'vitest';
import { API_ID } from '../../../infra/local/testing/served-api.ts';
import { type GatewayFault, serveControlPlane } from '../../../infra/local/testing/served-control-plane.ts';
import { gatewayClient, gatewayKeys, usagePlan } from '../../../shared/api-keys/usage-plan.ts';

export type { GatewayFault };

/** The environment of the tests, as it is in the tags of keys. */
export const ENVIRONMENT = 'test';

export const PLAN = { usagePlanId: 'plan1', restApiId: API_ID, stageName: 'test' };

/**
 * API Gateway's control plane of the local AWS as the endpoint of the SDK's clients in this test. It responds to the first
 * requests with these faults.
 */
export async function localGateway(faults: Iterable<GatewayFault | undefined> = []) {
  const upcoming = faults[Symbol.iterator]();
  const requests: string[] = [];
  const { endpoint, apiKeys, served } = await serveControlPlane({
    faultOf(request) {
      requests.push(request);
      gateway.onRequest(request);
      served.nowMs = Date.now();
      return upcoming.next().value;
    },
  });
  const flush = vi.spyOn(served.apis, 'flushAuthorizersCache');
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  /** Which keys are in the plan, by name, which is the id of ours. */
  const members = () =>
    apiKeys
      .list()
      .filter(({ usagePlanIds, enabled }) => enabled && usagePlanIds.includes(PLAN.usagePlanId))
      .map(({ name }) => name);
  const gateway = {
    apiKeys,
    members,
    flush,
    requests,
    /** Called with each request before it is answered; tests replace it. */
    onRequest: (_request: string): void => {},
  };
  return gateway;
}

/** The service's own clients of API Gateway, at the endpoint of this test. */
export function gatewayParts(environment = ENVIRONMENT) {
  const client = gatewayClient();
  const keys = gatewayKeys(client, environment);
  return { gatewayKeys: keys, plan: usagePlan(client, keys, PLAN) };
}
