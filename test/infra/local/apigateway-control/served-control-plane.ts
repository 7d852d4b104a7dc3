import {
  APIGatewayClient,
  CreateApiKeyCommand,
  type CreateApiKeyCommandInput,
  CreateUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { onTestFinished } from 'vitest';
import { apiGatewayService } from '../../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../../infra/local/apigateway-control/domain-names.ts';
import { awsEndpoint } from '../../../../infra/local/aws-api/endpoint.ts';
import { close, listen, originOf } from '../../../../infra/local/http-servers.ts';
import { developer, type Principal } from '../../../../infra/local/iam/principal.ts';
import {
  API_ID,
  AUTHORIZER_ARN,
  answers,
  api,
  authorizer,
  onePet,
  resource,
  serve,
} from '../apigateway/served-api.ts';

/** The value of the key that `created` makes. */
export const VALUE = 'a-value-of-twenty-ch';

/** The API Gateway API beside an API with two usage plans of its stage and one of none. */
export async function serveControlPlane(principal: Principal = developer) {
  const apiKeys = new ApiKeys();
  const ApiStages = [{ ApiId: API_ID, Stage: 'test' }];
  const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const served = await serve(
    [
      ...api({}, API_ID, { ApiKeySourceType: 'AUTHORIZER' }),
      authorizer(),
      ...onePet({ AuthorizationType: 'CUSTOM', AuthorizerId: 'authorizer1', ApiKeyRequired: true }),
      resource('UsagePlan', 'plan1', {
        UsagePlanName: 'Slow',
        Description: 'For all',
        ApiStages,
        Throttle: { RateLimit: 1, BurstLimit: 2 },
      }),
      resource('UsagePlan', 'plan2', { ApiStages }),
      resource('UsagePlan', 'plan3', {}),
    ],
    ({ functionArn, event }) =>
      functionArn === AUTHORIZER_ARN
        ? answers({
            principalId: 'p',
            policyDocument,
            usageIdentifierKey: Reflect.get(event, 'authorizationToken'),
          })
        : answers({ statusCode: 200 }),
    value => apiKeys.withValue(value),
  );
  const service = apiGatewayService({
    restApis: () => served.apis,
    apiKeys,
    domainNames: new DomainNames(),
    findCertificate: () => undefined,
    now: () => served.nowMs,
  });
  const server = await listen(0, '');
  onTestFinished(() => close(server));
  const services = { apigateway: service };
  server.on('request', awsEndpoint({ services, principal: () => principal, report: () => {} }));
  const client = new APIGatewayClient({
    endpoint: originOf(server),
    region: 'us-east-1',
    credentials: { accessKeyId: 'developer', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  onTestFinished(() => client.destroy());
  const created = (input: CreateApiKeyCommandInput = {}) =>
    client.send(new CreateApiKeyCommand({ enabled: true, value: VALUE, ...input }));
  const joined = (keyId: string | undefined, usagePlanId = 'plan1') =>
    client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' }));
  const call = async (value: string) =>
    (await served.send('/test/pets/7', { headers: ['Authorization', value] })).status;
  return { client, served, apiKeys, created, joined, call };
}

/** The answer to the id of an API key that does not exist. */
export const NO_KEY = {
  name: 'NotFoundException',
  message: 'Invalid API Key identifier specified',
  $metadata: { httpStatusCode: 404 },
};
