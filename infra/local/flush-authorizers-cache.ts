import type { RestApis } from './apigateway/rest-apis.ts';
import { type AwsService, answerRestJsonError } from './aws-service.ts';
import { REGION } from './cloudformation/pseudo-parameters.ts';

const AUTHORIZERS_CACHE = /^\/restapis\/([^/]+)\/stages\/([^/]+)\/cache\/authorizers\/?$/;

/** The one operation of the API Gateway API that is known here: FlushStageAuthorizersCache. */
export function apiGatewayService(restApis: () => RestApis | undefined): AwsService {
  return async ({ request, response, principal }) => {
    request.resume();
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [, apiId = '', stageName = ''] = AUTHORIZERS_CACHE.exec(pathname) ?? [];
    if (request.method !== 'DELETE' || apiId === '') {
      const message = `${request.method} ${pathname} of the API Gateway API is not known on one machine.`;
      answerRestJsonError(response, 501, 'NotImplemented', message);
      return;
    }
    const denial = principal.denial('apigateway:DELETE', `arn:aws:apigateway:${REGION}::${pathname}`);
    if (denial !== undefined) {
      answerRestJsonError(response, 403, 'AccessDeniedException', denial);
    } else if (restApis()?.stages.get(stageName)?.apiId !== apiId) {
      answerRestJsonError(response, 404, 'NotFoundException', 'Invalid stage identifier specified');
    } else {
      restApis()?.flushAuthorizersCache(apiId, stageName);
      response.writeHead(202).end();
    }
  };
}
