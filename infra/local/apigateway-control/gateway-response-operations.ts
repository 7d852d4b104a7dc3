import * as z from 'zod';
import { GATEWAY_RESPONSE_DEFAULTS, type GatewayResponseType } from '../apigateway/gateway-fault.ts';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import { itemsPage, PAGE_QUERY, PageQuery } from './page-query.ts';

const TYPES = (Object.keys(GATEWAY_RESPONSE_DEFAULTS) as GatewayResponseType[]).map(id => ({ id }));

/** The operations on the gateway responses of the REST APIs that are deployed. */
export function gatewayResponseOperations(restApis: () => RestApis | undefined): readonly RestOperation[] {
  return [
    restOperation({
      name: 'GetGatewayResponses',
      http: { route: 'GET /restapis/{restApiId}/gatewayresponses', query: PAGE_QUERY },
      input: PageQuery.extend({ restApiId: z.string() }),
      perform({ restApiId, ...query }) {
        const customised = restApis()?.gatewayResponsesOf(restApiId);
        if (customised === undefined) {
          throw new ApiGatewayError('NotFoundException', 'Invalid API identifier specified');
        }
        return itemsPage(TYPES, query, ({ id }) => {
          const own = customised.find(({ ResponseType }) => ResponseType === id);
          return {
            responseType: id,
            statusCode: own?.StatusCode,
            responseParameters: own?.ResponseParameters ?? {},
            responseTemplates: own?.ResponseTemplates ?? {
              'application/json': '{"message":$context.error.messageString}',
            },
            defaultResponse: own === undefined,
          };
        });
      },
    }),
  ];
}
