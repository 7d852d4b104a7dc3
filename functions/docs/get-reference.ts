import type { APIGatewayProxyEvent } from 'aws-lambda';
import { CONTENT_SECURITY_POLICY, referencePage } from '../../shared/docs/reference-page.ts';
import { required } from '../../shared/environment.ts';
import type { Answer } from '../../shared/http/answer.ts';
import { answerWith, cacheable } from '../../shared/http/cacheable.ts';

const renderer = required('RENDERER');
const operationsWithoutTryOut = required('OPERATIONS_WITHOUT_TRY_OUT').split(' ');

/** GET /docs: the reference page; no API key is needed. */
export async function handler(event: APIGatewayProxyEvent): Promise<Answer> {
  const basePath = event.requestContext.path.replace(/\/docs\/?$/, '');
  const page = cacheable(referencePage({ basePath, renderer, operationsWithoutTryOut }), {
    'Content-Type': 'text/html; charset=utf-8',
    // Asked for again each time: a page that is older than the deployment would name a renderer that is gone.
    'Cache-Control': 'no-cache',
    'Content-Security-Policy': CONTENT_SECURITY_POLICY,
    'Referrer-Policy': 'no-referrer',
  });
  return answerWith(page, event);
}
