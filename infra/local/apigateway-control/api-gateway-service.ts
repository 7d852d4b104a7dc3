import type { Certificate } from '../acm/certificates.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type RestJsonApi, restJsonService } from '../aws-api/rest-json-protocol.ts';
import type { AwsService } from '../aws-api/service-api.ts';
import { loadServiceModel } from '../aws-api/service-model.ts';
import { accountRates } from './account-rates.ts';
import { API_GATEWAY_STATUS_BY_ERROR } from './api-gateway-error.ts';
import { apiKeyOperations } from './api-key-operations.ts';
import type { ApiKeys } from './api-keys.ts';
import { authorizersCacheOperations } from './authorizers-cache-operations.ts';
import { basePathMappingOperations } from './base-path-mapping-operations.ts';
import { domainNameOperations } from './domain-name-operations.ts';
import type { DomainNames } from './domain-names.ts';
import { gatewayResponseOperations } from './gateway-response-operations.ts';
import { restApiOperations } from './rest-api-operations.ts';
import type { RestApiSettings } from './rest-api-settings.ts';
import { apiGatewayArn } from './tagging-permissions.ts';
import { usagePlanOperations } from './usage-plan-operations.ts';

export interface ApiGatewayServiceOptions {
  /** The deployed APIs; undefined before the first deployment. */
  restApis(): RestApis | undefined;
  readonly apiKeys: ApiKeys;
  readonly domainNames: DomainNames;
  readonly restApiSettings: RestApiSettings;
  findCertificate(arn: string): Certificate | undefined;
  /** What the waits of AWS are multiplied by. */
  readonly waitScale?: number;
  /** Milliseconds since 1970; Date.now unless a test sets the clock. */
  readonly now?: () => number;
}

const BODY_LIMIT_BYTES = 1024 * 1024;

/** The API Gateway API. */
export function apiGatewayApi(options: ApiGatewayServiceOptions): RestJsonApi {
  const { restApis, restApiSettings, apiKeys, domainNames, findCertificate } = options;
  const { waitScale = 1, now = Date.now } = options;
  const rates = accountRates({ waitScale, now });
  return {
    title: 'API Gateway',
    actionPrefix: 'apigateway',
    // Policies allow a method on a path: apigateway:POST on arn:aws:apigateway:us-east-1::/apikeys.
    permission: (method, path) => ({
      action: `apigateway:${method}`,
      resource: apiGatewayArn(path),
    }),
    operations: [
      ...apiKeyOperations(apiKeys, rates, now),
      ...usagePlanOperations(() => restApis()?.usagePlans ?? [], apiKeys),
      ...restApiOperations(restApis, restApiSettings),
      ...gatewayResponseOperations(restApis),
      ...authorizersCacheOperations(restApis),
      ...domainNameOperations({ domainNames, findCertificate, waitScale, now }),
      ...basePathMappingOperations(domainNames, restApis),
    ],
    outputNames: { items: 'item' },
    model: () => loadServiceModel('apigateway'),
    statusByError: API_GATEWAY_STATUS_BY_ERROR,
    errorNames: {
      accessDenied: 'AccessDeniedException',
      invalidInput: 'BadRequestException',
      unreadableRequest: 'BadRequestException',
      bodyTooLarge: 'BadRequestException',
    },
    describeIssues: ([issue]) => issue?.message ?? 'Invalid request input',
    bodyLimitBytes: BODY_LIMIT_BYTES,
    rate: rates.total,
  };
}

export function apiGatewayService(options: ApiGatewayServiceOptions): AwsService {
  return restJsonService(apiGatewayApi(options));
}
