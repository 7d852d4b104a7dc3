import type { APIGatewayProxyEvent } from 'aws-lambda';
import { withOwnServerFirst } from '../../shared/docs/servers.ts';
import { shippedFile } from '../../shared/docs/shipped-file.ts';
import type { Answer } from '../../shared/http/answer.ts';
import { answerWith, cacheable } from '../../shared/http/cacheable.ts';
import { parseJson, stringifyJson } from '../../shared/http/json.ts';
import { calledUrl } from '../../shared/http/urls.ts';

const document = parseJson(shippedFile('openapi.json')) as Parameters<typeof withOwnServerFirst>[0];

/** GET /openapi.json: the OpenAPI document, with the address of this environment; no API key is needed. */
export async function handler(event: APIGatewayProxyEvent): Promise<Answer> {
  const baseUrl = calledUrl(event).replace(/\/openapi\.json\/?$/, '');
  const body = stringifyJson(withOwnServerFirst(document, event.requestContext.stage, baseUrl));
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=60' };
  return answerWith(cacheable(body, headers), event);
}
