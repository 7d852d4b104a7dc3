import { acmApi } from '../../acm/acm-service.ts';
import { Certificates } from '../../acm/certificates.ts';
import type { Issuance } from '../../acm/issuance.ts';
import { apiGatewayApi } from '../../apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../apigateway-control/api-keys.ts';
import { DomainNames } from '../../apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../apigateway-control/rest-api-operations.ts';
import type { ServiceApi } from '../../aws-api/service-api.ts';
import { eventsApi } from '../../events/events-service.ts';
import { AsynchronousInvocations } from '../../lambda/asynchronous-invocations.ts';
import type { LambdaFunctions } from '../../lambda/functions.ts';
import { lambdaApi } from '../../lambda/lambda-service.ts';
import type { LogGroups } from '../../logs/log-groups.ts';
import { logsApi } from '../../logs/logs-service.ts';
import { HostedZones } from '../../route53/hosted-zones.ts';
import { route53Api } from '../../route53/route53-service.ts';
import { Secrets, secretsManagerApi } from '../../secrets.ts';
import type { Executions } from '../../stepfunctions/executions.ts';
import { stepFunctionsApi } from '../../stepfunctions/step-functions-service.ts';

/** The tables of all services. No operation is performed, so the parts that need a running service are left out. */
export const ALL_APIS: readonly ServiceApi[] = [
  acmApi({
    certificates: new Certificates(),
    issuance: {} as Issuance,
    inUseBy: () => [],
    now: Date.now,
  }),
  apiGatewayApi({
    restApis: () => undefined,
    restApiSettings: new RestApiSettings(),
    apiKeys: new ApiKeys(),
    domainNames: new DomainNames(),
    findCertificate: () => undefined,
  }),
  eventsApi({ accept: () => {} }),
  lambdaApi({} as LambdaFunctions, new AsynchronousInvocations(1)),
  logsApi({ logGroups: {} as LogGroups, waitScale: 1, now: Date.now }),
  route53Api({ hostedZones: new HostedZones() }),
  secretsManagerApi(new Secrets()),
  stepFunctionsApi({ executions: {} as Executions }),
];
