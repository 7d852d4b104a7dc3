import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calling, OPENAPI_ROUTE, serversAt } from '../../shared/docs/servers.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { asciiJson, parseJson, stringifyJson } from '../../shared/http/json.ts';
import { conditionalResponse, representation } from '../../shared/http/response.ts';
import { baseUrl } from '../../shared/http/urls.ts';

/** The document is deployed beside the function's code. */
const file = join(required('LAMBDA_TASK_ROOT'), 'openapi.json');
const document = parseJson(readFileSync(file, 'utf8')) as object;
const stagesOfHost = required('STAGES_OF_HOST').split(' ');

const HEADERS = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=60' };

/** GET /openapi.json: the OpenAPI document with the URLs that this client can call; needs no API key. */
export const handler = endpoint().handler(async event => {
  const { stage } = event.requestContext;
  const url = baseUrl(event, OPENAPI_ROUTE.path);
  const text = stringifyJson({ ...document, servers: serversAt(url, { stage, stagesOfHost }) });
  return conditionalResponse(representation(asciiJson(calling(text, url, stage)), HEADERS), event);
});
