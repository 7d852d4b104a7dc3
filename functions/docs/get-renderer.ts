import { shippedFile } from '../../shared/docs/shipped-file.ts';
import { conditionalAnswer, representation } from '../../shared/http/conditional-answer.ts';
import { endpoint } from '../../shared/http/endpoint.ts';

const renderer = representation(shippedFile('scalar.js'), {
  'Content-Type': 'text/javascript; charset=utf-8',
  // The file name contains a hash of the content, so the content never changes.
  'Cache-Control': 'public, max-age=31536000, immutable',
});

/** GET /docs/scalar-….js: answers the script that renders the reference page; needs no API key. */
export const handler = endpoint().handler(async event => conditionalAnswer(renderer, event));
