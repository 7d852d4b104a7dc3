import { onTestFinished } from 'vitest';
import * as z from 'zod';
import { acmApi } from '../acm/acm-service.ts';
import { Certificates } from '../acm/certificates.ts';
import type { Issuance } from '../acm/issuance.ts';
import { apiGatewayApi } from '../apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../apigateway-control/api-keys.ts';
import { DomainNames } from '../apigateway-control/domain-names.ts';
import { RestApiSettings } from '../apigateway-control/rest-api-operations.ts';
import { awsService } from '../aws-api/aws-service.ts';
import type { Operation } from '../aws-api/operation.ts';
import type { AwsService, ServiceApi } from '../aws-api/service-api.ts';
import type { Principal } from '../iam/principal.ts';
import { startEndpoint, testCaller } from './served-endpoint.ts';

export { AwsApiError } from '../aws-api/aws-api-error.ts';

/** What operations return, by their names, from their inputs. */
export type Responses = Readonly<Record<string, Operation<z.ZodAny>['perform']>>;

export interface ServedAccount {
  /** What is added to the API Gateway of the local AWS. */
  readonly apiGateway: Responses;
  /** Services that return what the test sets, by their name in the credential scope. */
  readonly services: Readonly<
    Record<string, { readonly sdk: ServiceApi['sdk']; readonly responses: Responses }>
  >;
  readonly region: string;
  readonly principal: Principal;
}

/** An account on a free port until the test has finished, with ACM and API Gateway of the local AWS. */
export async function serveAccount({ apiGateway, services, region, principal }: ServedAccount) {
  const certificates = new Certificates();
  const domainNames = new DomainNames();
  const ofLocalAws = apiGatewayApi({
    restApis: () => undefined,
    restApiSettings: new RestApiSettings(),
    apiKeys: new ApiKeys(),
    domainNames,
    findCertificate: () => undefined,
  });
  // Every certificate is in the list at once.
  const issuance = { listedAtMs: () => 0 } as unknown as Issuance;
  const all = {
    acm: awsService(acmApi({ certificates, issuance, inUseBy: () => [], now: Date.now })),
    apigateway: awsService({
      ...ofLocalAws,
      operations: [...ofLocalAws.operations, ...operationsOf(apiGateway)],
    }),
    ...Object.fromEntries(
      Object.entries(services).map(([name, { sdk, responses }]) => [name, responding(name, sdk, responses)]),
    ),
  };
  const { endpoint, stop } = await startEndpoint({ services: all, caller: testCaller(principal), region });
  onTestFinished(stop);
  return { certificates, domainNames, endpoint };
}

function operationsOf(responses: Responses): Operation[] {
  return Object.entries(responses).map(([name, perform]) => ({ name, input: z.any(), perform }));
}

function responding(name: string, sdk: ServiceApi['sdk'], responses: Responses): AwsService {
  const accessDenied = ['iam', 'sns'].includes(name) ? 'AuthorizationError' : 'AccessDeniedException';
  const operations = operationsOf(responses);
  return awsService({ title: name, actionPrefix: name, sdk, operations, errorNames: { accessDenied } });
}
