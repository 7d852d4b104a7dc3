import { onTestFinished, vi } from 'vitest';
import { apiGatewayApi } from '../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../infra/local/apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../../infra/local/apigateway-control/rest-api-operations.ts';
import { AwsApiError } from '../../../infra/local/aws-api/aws-api-error.ts';
import { awsService } from '../../../infra/local/aws-api/aws-service.ts';
import { awsEndpoint } from '../../../infra/local/aws-api/endpoint.ts';
import { sendRestJsonError } from '../../../infra/local/aws-api/http-messages.ts';
import { close, listen, originOf } from '../../../infra/local/host/http-servers.ts';
import {
  API_ID,
  api,
  onePet,
  resource,
  returns,
  serve,
} from '../../../infra/local/test/apigateway/served-api.ts';
import { testCaller, unexpectedReport } from '../../../infra/local/test/aws-api/served-endpoint.ts';
import { gatewayClient, gatewayKeys, usagePlan } from '../../../shared/api-keys/usage-plan.ts';

export interface GatewayFault {
  readonly status: number;
  readonly type: string;
}

/** The environment of the tests, as it is in the tags of keys. */
export const ENVIRONMENT = 'test';

export const PLAN = { usagePlanId: 'plan1', restApiId: API_ID, stageName: 'test' };

/**
 * API Gateway's control plane of the local AWS, with one usage plan, as the endpoint of the SDK's clients in this
 * test. It responds to the first requests with these faults.
 */
export async function localGateway(faults: Iterable<GatewayFault | undefined> = []) {
  const apiKeys = new ApiKeys();
  const ApiStages = [{ ApiId: API_ID, Stage: 'test' }];
  const served = await serve(
    [...api(), ...onePet(), resource('UsagePlan', PLAN.usagePlanId, { ApiStages })],
    () => returns({ statusCode: 200 }),
    value => apiKeys.withValue(value),
  );
  const flush = vi.spyOn(served.apis, 'flushAuthorizersCache');
  const upcoming = faults[Symbol.iterator]();
  const requests: string[] = [];
  const service = awsService(
    apiGatewayApi({
      restApis: () => served.apis,
      restApiSettings: new RestApiSettings(),
      apiKeys,
      domainNames: new DomainNames({ waitScale: 1 }),
      findCertificate: () => undefined,
    }),
  );
  const answer = awsEndpoint({
    services: { apigateway: service },
    caller: testCaller(),
    report: unexpectedReport,
  });
  const server = await listen(0, '');
  server.on('request', (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    gateway.onRequest(`${request.method} ${request.url}`);
    const fault: GatewayFault | undefined = upcoming.next().value;
    if (fault) {
      const error = new AwsApiError(fault.type, 'injected by the test');
      sendRestJsonError(response, fault.status, error);
    } else {
      answer(request, response);
    }
  });
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', originOf(server));
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await close(server);
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
