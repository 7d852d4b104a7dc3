import { acmApi } from './acm/acm-service.ts';
import type { CertificateAuthority } from './acm/certificate-authority.ts';
import { Certificates } from './acm/certificates.ts';
import type { Lookup } from './acm/dns-validation.ts';
import { Issuance } from './acm/issuance.ts';
import type { RestApis } from './apigateway/rest-apis.ts';
import { apiGatewayApi } from './apigateway-control/api-gateway-service.ts';
import { ApiKeys } from './apigateway-control/api-keys.ts';
import type { Stages } from './apigateway-control/domain-name-operations.ts';
import { DomainNames } from './apigateway-control/domain-names.ts';
import { RestApiSettings } from './apigateway-control/rest-api-operations.ts';
import type { ServiceApi } from './aws-api/service-api.ts';
import { eventsApi } from './events/events-service.ts';
import type { AwsEvent } from './events/rules.ts';
import type { DataFolder } from './host/data-folder.ts';
import type { HostedZones } from './route53/hosted-zones.ts';
import { route53Api } from './route53/route53-service.ts';
import { Executions, type ExecutionsOptions } from './stepfunctions/executions.ts';
import { stepFunctionsApi } from './stepfunctions/step-functions-service.ts';
import type { Surroundings } from './surroundings.ts';

interface AccountOptions {
  readonly surroundings: Surroundings;
  /** Where the state is kept; without files in memory. */
  readonly files?: Partial<DataFolder>;
  readonly hostedZones: HostedZones;
  /** DNS as ACM sees it. */
  readonly lookup: Lookup;
  /** Signs certificates. */
  readonly signer: Pick<CertificateAuthority, 'sign'>;
  readonly executions: Omit<ExecutionsOptions, keyof Surroundings | 'file'>;
  /** The deployed APIs; undefined before the first deployment. */
  restApis(): RestApis | undefined;
  /** The stages that domain names can be mapped to; by default those of the deployed APIs. */
  stages?(): Stages;
  /** Takes the events of AWS and those of PutEvents. The sender doesn't wait for what rules do with them. */
  publish(event: AwsEvent): void;
}

/** The services that are the same on every clock: their state, their operations, and what each knows of the others. */
export function account(options: AccountOptions) {
  const { surroundings, files = {}, hostedZones, lookup, signer, publish } = options;
  const { restApis, stages = () => restApis()?.stages ?? [] } = options;
  const certificates = new Certificates(files.certificatesFile, surroundings);
  const domainNames = new DomainNames({ file: files.domainNamesFile, ...surroundings });
  const apiKeys = new ApiKeys(files.apiKeysFile, surroundings);
  const restApiSettings = new RestApiSettings(files.restApiSettingsFile);
  const executions = new Executions({ file: files.executionsFile, ...surroundings, ...options.executions });
  const inUseBy = (arn: string) => domainNames.usesOf(arn);
  const issuance = new Issuance({
    ...surroundings,
    certificates,
    authority: signer,
    lookup,
    isInUse: arn => inUseBy(arn).length > 0,
    announce: publish,
  });
  const apis = {
    acm: acmApi({ ...surroundings, certificates, issuance, inUseBy }),
    apigateway: apiGatewayApi({
      ...surroundings,
      restApis,
      restApiSettings,
      apiKeys,
      domainNames,
      findCertificate: arn => certificates.find(arn),
      hasSpread: certificate => issuance.hasSpread(certificate),
      stages,
    }),
    events: eventsApi({ ...surroundings, accept: publish }),
    route53: route53Api({ hostedZones }),
    states: stepFunctionsApi({ ...surroundings, executions }),
  } satisfies Readonly<Record<string, ServiceApi>>;
  return { certificates, issuance, domainNames, apiKeys, restApiSettings, executions, apis };
}
