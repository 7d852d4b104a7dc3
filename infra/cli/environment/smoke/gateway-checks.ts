import type { GatewayResponse } from '@aws-sdk/client-api-gateway';
import type { BrowserOrigins } from '../../../settings/browser-origins.ts';
import type { Check } from './check.ts';
import { Broken, Skipped } from './check-outcomes.ts';

/** Every kind of answer that API Gateway gives by itself. */
const RESPONSE_TYPES = [
  'ACCESS_DENIED',
  'API_CONFIGURATION_ERROR',
  'AUTHORIZER_CONFIGURATION_ERROR',
  'AUTHORIZER_FAILURE',
  'BAD_REQUEST_BODY',
  'BAD_REQUEST_PARAMETERS',
  'DEFAULT_4XX',
  'DEFAULT_5XX',
  'EXPIRED_TOKEN',
  'INTEGRATION_FAILURE',
  'INTEGRATION_TIMEOUT',
  'INVALID_API_KEY',
  'INVALID_SIGNATURE',
  'MISSING_AUTHENTICATION_TOKEN',
  'QUOTA_EXCEEDED',
  'REQUEST_TOO_LARGE',
  'RESOURCE_NOT_FOUND',
  'THROTTLED',
  'UNAUTHORIZED',
  'UNSUPPORTED_MEDIA_TYPE',
  'WAF_FILTERED',
];

/** What API Gateway answers itself. Most of it cannot be provoked from outside, so its configuration is read. */
export const GATEWAY_CHECKS: readonly Check[] = [
  {
    name: 'every answer that API Gateway gives by itself is an Error that permitted pages can read (gateway responses)',
    async run({ session, apiId, browserOrigins }) {
      const { APIGatewayClient, GetGatewayResponsesCommand } = await import('@aws-sdk/client-api-gateway');
      const client = new APIGatewayClient(session.target.aws);
      try {
        // This collection is not paged.
        const { items = [] } = await client.send(new GetGatewayResponsesCommand({ restApiId: apiId }));
        const faults = RESPONSE_TYPES.flatMap(type => {
          const response = items.find(({ responseType }) => responseType === type);
          const fault = faultOf(response) ?? corsFaultOf(response, browserOrigins);
          return fault === undefined ? [] : [`${type} ${fault}`];
        });
        if (faults.length > 0) throw new Broken(`gateway responses: ${faults.join('; ')}`);
      } catch (error) {
        if ((error as Error).name !== 'AccessDeniedException') throw error;
        throw new Skipped('you are not allowed to read the gateway responses (apigateway:GET)');
      } finally {
        client.destroy();
      }
    },
  },
];

/** How a gateway response differs from an Error; undefined if it does not. */
function faultOf(response: GatewayResponse | undefined): string | undefined {
  if (response === undefined || response.defaultResponse) return 'is not customised, so its body is no Error';
  const { statusCode, responseTemplates } = response;
  const body = parsed(responseTemplates?.['application/json'] ?? '');
  const isError = typeof body?.code === 'string' && typeof body.message === 'string';
  if (!isError) return 'has a body that is no Error';
  if (String(body.status) !== statusCode) {
    return `has the status ${body.status} in its Error, and is answered with ${statusCode}`;
  }
  return undefined;
}

/** How a gateway response differs from the settings: it permits every origin or none, since it cannot choose. */
function corsFaultOf(response: GatewayResponse | undefined, origins: BrowserOrigins): string | undefined {
  const seen = response?.responseParameters?.['gatewayresponse.header.Access-Control-Allow-Origin'];
  const expected = origins.length > 0 ? "'*'" : undefined;
  if (seen === expected) return undefined;
  return `has Access-Control-Allow-Origin ${seen ?? 'absent'}, not ${expected ?? 'absent'} as browserOrigins of the settings says`;
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
