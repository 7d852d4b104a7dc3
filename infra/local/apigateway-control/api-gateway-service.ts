import type { Certificate } from '../acm/certificates.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import type { ServiceApi } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { API_GATEWAY_STATUS_BY_ERROR, accountRates, apiGatewayArn } from './api-gateway-operation.ts';
import { apiKeyOperations, usagePlanOperations } from './api-key-operations.ts';
import type { ApiKeys } from './api-keys.ts';
import { basePathMappingOperations, domainNameOperations, type Stages } from './domain-name-operations.ts';
import type { DomainNames } from './domain-names.ts';
import { type RestApiSettings, restApiOperations } from './rest-api-operations.ts';

interface ApiGatewayServiceOptions extends Partial<Surroundings> {
  /** The deployed APIs; undefined before the first deployment. */
  restApis(): RestApis | undefined;
  readonly apiKeys: ApiKeys;
  readonly domainNames: DomainNames;
  readonly restApiSettings: RestApiSettings;
  findCertificate(arn: string): Certificate | undefined;
  /** Whether an issued certificate has reached API Gateway; by default it has. */
  hasSpread?(certificate: Certificate): boolean;
  /** The stages that domain names can be mapped to; by default those of the deployed APIs. */
  stages?(): Stages;
}

/** The API Gateway API. */
export function apiGatewayApi(options: ApiGatewayServiceOptions): ServiceApi {
  const { restApis, restApiSettings, apiKeys, domainNames, findCertificate } = options;
  const { hasSpread = () => true, stages = () => restApis()?.stages ?? [] } = options;
  const given = surroundings(options);
  const { now } = given;
  const rates = accountRates(given);
  return {
    title: 'API Gateway',
    sdk: () => import('@aws-sdk/client-api-gateway').then(sdk => [sdk, sdk.APIGatewayClient]),
    actionPrefix: 'apigateway',
    // Policies allow a method on a path: apigateway:POST on arn:aws:apigateway:us-east-1::/apikeys.
    permission: (method, path) => ({ action: `apigateway:${method}`, resource: apiGatewayArn(path) }),
    operations: [
      ...apiKeyOperations(apiKeys, rates, now),
      ...usagePlanOperations(() => restApis()?.usagePlans ?? [], apiKeys),
      ...restApiOperations(restApis, restApiSettings),
      ...domainNameOperations({ ...given, domainNames, findCertificate, hasSpread }),
      ...basePathMappingOperations(domainNames, stages),
    ],
    model: () => loadServiceModel('apigateway'),
    statusByError: API_GATEWAY_STATUS_BY_ERROR,
    errorNames: { invalidInput: 'BadRequestException', unreadableRequest: 'BadRequestException' },
    describeIssues: ([issue]) => issue?.message ?? 'Invalid request input',
    rate: rates.total,
  };
}
