import {
  APIGatewayClient,
  CreateApiKeyCommand,
  type CreateApiKeyCommandInput,
  CreateDomainNameCommand,
  CreateUsagePlanKeyCommand,
} from '@aws-sdk/client-api-gateway';
import { onTestFinished } from 'vitest';
import { Certificates } from '../acm/certificates.ts';
import { apiGatewayApi } from '../apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../apigateway-control/api-keys.ts';
import { DomainNames } from '../apigateway-control/domain-names.ts';
import { RestApiSettings } from '../apigateway-control/rest-api-operations.ts';
import { AwsApiError } from '../aws-api/aws-api-error.ts';
import { awsService } from '../aws-api/aws-service.ts';
import { sendRestJsonError } from '../aws-api/http-messages.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import type { Resource } from '../cloudformation/resource-type.ts';
import type { Principal } from '../iam/principal.ts';
import {
  API_ID,
  AUTHORIZER_ARN,
  api,
  authorizer,
  type Invocation,
  onePet,
  resource,
  returns,
  serve,
} from './served-api.ts';
import { serveEndpoint } from './served-endpoint.ts';

/** The value of the key that `createKey` creates. */
export const VALUE = 'aValueOfTwentyLetter';

export interface GatewayFault {
  readonly status: number;
  readonly type: string;
}

interface ServedControlPlaneOptions {
  readonly principal?: Principal;
  /** Where the domain names are kept. */
  readonly file?: string;
  readonly waitScale?: number;
  readonly apiKeys?: ApiKeys;
  /** The error in place of the response to a request, such as `GET /apikeys`; of none by default. */
  readonly faultOf?: (request: string) => GatewayFault | undefined;
  /** APIs beside the one that there always is. */
  readonly otherApis?: readonly Resource[];
}

/**
 * The API Gateway API beside an API with two usage plans of its stage and one of none, and issued certificates. The test
 * sets the clock of all of it.
 */
export async function serveControlPlane(options: ServedControlPlaneOptions = {}) {
  const { principal, file, waitScale = 1, apiKeys = new ApiKeys(), otherApis = [] } = options;
  const { faultOf = () => undefined } = options;
  const restApiSettings = new RestApiSettings();
  const served = await serve(
    [...RESOURCES, ...otherApis],
    allow,
    value => apiKeys.withValue(value),
    apiId => restApiSettings.of(apiId).isDefaultEndpointClosed,
  );
  const now = () => served.nowMs;
  const certificates = new Certificates();
  const domainNames = new DomainNames({ file, waitScale, now });
  const service = awsService(
    apiGatewayApi({
      restApis: () => served.apis,
      restApiSettings,
      apiKeys,
      domainNames,
      findCertificate: arn => certificates.find(arn),
      waitScale,
      now,
    }),
  );
  const faulty: AwsService = async call => {
    const fault = faultOf(`${call.request.method} ${call.request.url}`);
    if (fault === undefined) return service(call);
    sendRestJsonError(call.response, fault.status, new AwsApiError(fault.type, 'injected by the test'));
  };
  const { endpoint, clientOptions } = await serveEndpoint({ apigateway: faulty }, principal);
  const client = new APIGatewayClient(clientOptions);
  onTestFinished(() => client.destroy());

  const certificateFor = (...names: string[]): string => {
    const newCertificate = { names, keyAlgorithm: 'RSA_2048', tags: {}, createdAtMs: now() } as const;
    const { arn } = certificates.add(newCertificate);
    certificates.change(arn, { status: 'ISSUED' });
    return arn;
  };
  return {
    endpoint,
    client,
    served,
    /** The current time in milliseconds, which tests set. */
    get nowMs() {
      return served.nowMs;
    },
    set nowMs(nowMs: number) {
      served.nowMs = nowMs;
    },
    apiKeys,
    restApiSettings,
    certificates,
    domainNames,
    certificateFor,
    /** Creates a domain name with a certificate of its own, in the next slot. */
    created: (domainName: string, more: object = {}) => {
      served.nowMs += 30_000 * waitScale;
      return client.send(
        new CreateDomainNameCommand({
          domainName,
          regionalCertificateArn: certificateFor(domainName),
          endpointConfiguration: { types: ['REGIONAL'] },
          ...more,
        }),
      );
    },
    /** Adds so many domain names, which use up the quota. */
    fill(count: number) {
      const name = {
        certificateArn: 'arn',
        securityPolicy: 'TLS_1_2',
        ipAddressType: 'ipv4',
        tags: {},
      } as const;
      for (let number = 0; number < count; number += 1)
        domainNames.add({ ...name, domainName: `n${number}.example` });
    },
    createKey: (input: CreateApiKeyCommandInput = {}) =>
      client.send(new CreateApiKeyCommand({ enabled: true, value: VALUE, ...input })),
    joinPlan: (keyId: string | undefined, usagePlanId = 'plan1') =>
      client.send(new CreateUsagePlanKeyCommand({ usagePlanId, keyId, keyType: 'API_KEY' })),
    /** Sends a request to the API with a key. */
    call: async (value: string) =>
      (await served.send('/test/pets/7', { headers: ['Authorization', value] })).status,
  };
}

const ApiStages = [{ ApiId: API_ID, Stage: 'test' }];

const RESOURCES = [
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
];

/** An authorizer that allows everything and passes the token to the usage plan, and a function that returns 200. */
function allow({ functionArn, event }: Invocation) {
  if (functionArn !== AUTHORIZER_ARN) return returns({ statusCode: 200 });
  const policyDocument = { Statement: [{ Effect: 'Allow', Action: '*', Resource: '*' }] };
  const usageIdentifierKey = Reflect.get(event, 'authorizationToken');
  return returns({ principalId: 'p', policyDocument, usageIdentifierKey });
}

/** The error for the id of an API key that does not exist. */
export const NO_KEY = {
  name: 'NotFoundException',
  message: 'Invalid API Key identifier specified',
  $metadata: { httpStatusCode: 404 },
};
