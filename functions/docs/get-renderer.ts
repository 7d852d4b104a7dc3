import type { APIGatewayProxyEvent } from 'aws-lambda';
import { shippedFile } from '../../shared/docs/shipped-file.ts';
import type { Answer } from '../../shared/http/answer.ts';
import { answerWith, cacheable } from '../../shared/http/cacheable.ts';

const renderer = cacheable(shippedFile('scalar.js'), {
  'Content-Type': 'text/javascript; charset=utf-8',
  // Its name holds a hash of its content, so it never changes.
  'Cache-Control': 'public, max-age=31536000, immutable',
});

/** GET /docs/scalar-….js: what renders the reference page in the browser; no API key is needed. */
export async function handler(event: APIGatewayProxyEvent): Promise<Answer> {
  return answerWith(renderer, event);
}
