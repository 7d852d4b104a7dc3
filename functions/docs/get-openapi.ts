import { OPENAPI_ROUTE } from '../../shared/docs/routes.ts';
import { withOwnServerFirst } from '../../shared/docs/servers.ts';
import { shippedFile } from '../../shared/docs/shipped-file.ts';
import { conditionalAnswer, representation } from '../../shared/http/conditional-answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { parseJson, stringifyJson } from '../../shared/http/json.ts';
import { baseUrl } from '../../shared/http/urls.ts';

const document = parseJson(shippedFile('openapi.json').toString()) as Parameters<
  typeof withOwnServerFirst
>[0];

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=60' };

/** GET /openapi.json: answers the OpenAPI document with the address of this environment first; needs no API key. */
export const handler = endpoint().handler(async event => {
  const address = baseUrl(event, OPENAPI_ROUTE.path);
  const body = stringifyJson(withOwnServerFirst(document, event.requestContext.stage, address));
  return conditionalAnswer(representation(body, HEADERS), event);
});
