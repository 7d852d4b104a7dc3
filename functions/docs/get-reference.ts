import { CONTENT_SECURITY_POLICY, referencePage } from '../../shared/docs/reference-page.ts';
import { REFERENCE_ROUTE } from '../../shared/docs/routes.ts';
import { required } from '../../shared/environment.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { conditionalResponse, representation } from '../../shared/http/response.ts';
import { basePath } from '../../shared/http/urls.ts';

const renderer = required('RENDERER');
const operationsWithoutTryOut = required('OPERATIONS_WITHOUT_TRY_OUT').split(' ');

const HEADERS = {
  'Content-Type': 'text/html; charset=utf-8',
  // Revalidated every time: a page from before a deployment would name a renderer that is gone.
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': CONTENT_SECURITY_POLICY,
  'Referrer-Policy': 'no-referrer',
};

/** GET /docs: the reference page; needs no API key. */
export const handler = endpoint().handler(async event => {
  const page = referencePage({
    basePath: basePath(event, REFERENCE_ROUTE.path),
    renderer,
    operationsWithoutTryOut,
  });
  return conditionalResponse(representation(page, HEADERS), event);
});
