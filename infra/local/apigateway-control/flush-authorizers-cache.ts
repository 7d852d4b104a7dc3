import type { RestApis } from '../apigateway/rest-apis.ts';
import { ApiGatewayError } from './api-gateway-error.ts';
import type { Operations } from './operation.ts';

/** FlushStageAuthorizersCache. */
export function flushAuthorizersCache(restApis: () => RestApis | undefined): Operations {
  return {
    'DELETE /restapis/{restApiId}/stages/{stageName}/cache/authorizers'({ parameters }) {
      const { restApiId = '', stageName = '' } = parameters;
      if (restApis()?.stages.get(stageName)?.apiId !== restApiId) {
        throw new ApiGatewayError('NotFoundException', 'Invalid stage identifier specified');
      }
      restApis()?.flushAuthorizersCache(restApiId, stageName);
      return { status: 202 };
    },
  };
}
