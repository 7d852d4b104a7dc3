import type { Certificate } from '../acm/certificates.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type RestJsonApi, restJsonService } from '../aws-api/rest-protocol.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { type Surroundings, surroundings } from '../surroundings.ts';
import { API_GATEWAY_STATUS_BY_ERROR, accountRates, apiGatewayArn } from './api-gateway-operation.ts';
import { apiKeyOperations, usagePlanOperations } from './api-key-operations.ts';
import type { ApiKeys } from './api-keys.ts';
import { basePathMappingOperations, domainNameOperations } from './domain-name-operations.ts';
import type { DomainNames } from './domain-names.ts';
import { type RestApiSettings, restApiOperations } from './rest-api-operations.ts';

interface ApiGatewayServiceOptions extends Partial<Surroundings> {
  /** The deployed APIs; undefined before the first deployment. */
  restApis(): RestApis | undefined;
  readonly apiKeys: ApiKeys;
  readonly domainNames: DomainNames;
  readonly restApiSettings: RestApiSettings;
  findCertificate(arn: string): Certificate | undefined;
}

/** The API Gateway API. */
export function apiGatewayApi(options: ApiGatewayServiceOptions): RestJsonApi {
  const { restApis, restApiSettings, apiKeys, domainNames, findCertificate } = options;
  const { waitScale, now } = surroundings(options);
  const rates = accountRates({ waitScale, now });
  return {
    title: 'API Gateway',
    actionPrefix: 'apigateway',
    // Policies allow a method on a path: apigateway:POST on arn:aws:apigateway:us-east-1::/apikeys.
    permission: (method, path) => ({ action: `apigateway:${method}`, resource: apiGatewayArn(path) }),
    operations: [
      ...apiKeyOperations(apiKeys, rates, now),
      ...usagePlanOperations(() => restApis()?.usagePlans ?? [], apiKeys),
      ...restApiOperations(restApis, restApiSettings),
      ...domainNameOperations({ domainNames, findCertificate, waitScale, now }),
      ...basePathMappingOperations(domainNames, restApis),
    ],
    outputNames: { items: 'item' },
    model: () => loadServiceModel('apigateway'),
    statusByError: API_GATEWAY_STATUS_BY_ERROR,
    errorNames: { invalidInput: 'BadRequestException', unreadableRequest: 'BadRequestException' },
    describeIssues: ([issue]) => issue?.message ?? 'Invalid request input',
    rate: rates.total,
  };
}

export function apiGatewayService(options: ApiGatewayServiceOptions): AwsService {
  return restJsonService(apiGatewayApi(options));
}
