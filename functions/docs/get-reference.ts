import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calling, escapedHtml, REFERENCE_ROUTE, serversAt } from '../../shared/docs/servers.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { conditionalResponse, representation } from '../../shared/http/response.ts';
import { baseUrl } from '../../shared/http/urls.ts';

/** The page is deployed beside the function's code. */
const page = readFileSync(join(required('LAMBDA_TASK_ROOT'), 'reference.html'), 'utf8');
const stagesOfHost = required('STAGES_OF_HOST').split(' ');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'public, max-age=60',
  'Content-Security-Policy': required('CONTENT_SECURITY_POLICY'),
  'Referrer-Policy': 'no-referrer',
};

/** GET /docs: the reference page, with the URLs that this client can call; needs no API key. */
export const handler = endpoint().handler(async event => {
  const { stage } = event.requestContext;
  const url = escapedHtml(baseUrl(event, REFERENCE_ROUTE.path));
  const servers = serversAt(url, { stage, stagesOfHost }).map(
    server => `<option value="${server.url}">${server.description}</option>`,
  );
  const text = calling(page, url, stage).replaceAll('<option></option>', servers.join(''));
  return conditionalResponse(representation(text, HEADERS), event);
});
