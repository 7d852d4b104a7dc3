import { OPENAPI_ROUTE } from '../../shared/docs/routes.ts';
import { serversAt } from '../../shared/docs/servers.ts';
import { shippedFile } from '../../shared/docs/shipped-file.ts';
import { required } from '../../shared/environment.ts';
import { conditionalAnswer, representation } from '../../shared/http/conditional-answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { parseJson, stringifyJson } from '../../shared/http/json.ts';
import { baseUrl } from '../../shared/http/urls.ts';

const document = parseJson(shippedFile('openapi.json').toString()) as object;
const stagesOfHost = required('STAGES_OF_HOST').split(' ');

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=60' };

/** GET /openapi.json: answers the OpenAPI document with the addresses that this client can call; needs no API key. */
export const handler = endpoint().handler(async event => {
  const { stage } = event.requestContext;
  const servers = serversAt(baseUrl(event, OPENAPI_ROUTE.path), { stage, stagesOfHost });
  const body = stringifyJson({ ...document, servers });
  return conditionalAnswer(representation(body, HEADERS), event);
});
