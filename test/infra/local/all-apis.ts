import { acmApi } from '../../../infra/local/acm/acm-service.ts';
import type { CertificateAuthority } from '../../../infra/local/acm/certificate-authority.ts';
import { Certificates } from '../../../infra/local/acm/certificates.ts';
import type { Issuance } from '../../../infra/local/acm/issuance.ts';
import { apiGatewayApi } from '../../../infra/local/apigateway-control/api-gateway-service.ts';
import { ApiKeys } from '../../../infra/local/apigateway-control/api-keys.ts';
import { DomainNames } from '../../../infra/local/apigateway-control/domain-names.ts';
import { RestApiSettings } from '../../../infra/local/apigateway-control/rest-api-operations.ts';
import type { ServiceApi } from '../../../infra/local/aws-api/service-api.ts';
import { eventsApi } from '../../../infra/local/events/events-service.ts';
import { AsynchronousInvocations } from '../../../infra/local/lambda/asynchronous-invocations.ts';
import type { LambdaFunctions } from '../../../infra/local/lambda/functions.ts';
import { lambdaApi } from '../../../infra/local/lambda/lambda-service.ts';
import type { LogGroups } from '../../../infra/local/logs/log-groups.ts';
import { logsApi } from '../../../infra/local/logs/logs-service.ts';
import { HostedZones } from '../../../infra/local/route53/hosted-zones.ts';
import { route53Api } from '../../../infra/local/route53/route53-service.ts';
import type { Executions } from '../../../infra/local/stepfunctions/executions.ts';
import { stepFunctionsApi } from '../../../infra/local/stepfunctions/step-functions-service.ts';

/** The tables of all services. No operation is performed, so the parts that need a running service are left out. */
export const ALL_APIS: readonly ServiceApi[] = [
  acmApi({
    certificates: new Certificates(),
    issuance: {} as Issuance,
    authority: {} as CertificateAuthority,
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
  stepFunctionsApi({ executions: {} as Executions }),
];
