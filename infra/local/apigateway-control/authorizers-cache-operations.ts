import * as z from 'zod';
import type { RestApis } from '../apigateway/rest-apis.ts';
import { type RestOperation, restOperation } from '../aws-api/operation.ts';
import { ApiGatewayError } from './api-gateway-error.ts';

export function authorizersCacheOperations(restApis: () => RestApis | undefined): readonly RestOperation[] {
  return [
    restOperation({
      name: 'FlushStageAuthorizersCache',
      http: { route: 'DELETE /restapis/{restApiId}/stages/{stageName}/cache/authorizers', status: 202 },
      input: z.strictObject({ restApiId: z.string(), stageName: z.string() }),
      perform({ restApiId, stageName }) {
        if (restApis()?.stages.get(stageName)?.apiId !== restApiId) {
          throw new ApiGatewayError('NotFoundException', 'Invalid stage identifier specified');
        }
        restApis()?.flushAuthorizersCache(restApiId, stageName);
      },
    }),
  ];
}
