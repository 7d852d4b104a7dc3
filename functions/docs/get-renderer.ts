import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { required } from '../../shared/environment.ts';
import { ApiError } from '../../shared/errors.ts';
import { acceptsGzip } from '../../shared/http/compression.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { conditionalResponse, representation } from '../../shared/http/response.ts';

/** Compressed once, at the deploy: 4.4 MB become 1.3 MB, and no request pays for that. */
const renderer = representation(readFileSync(join(required('LAMBDA_TASK_ROOT'), 'scalar.js.gz')), {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Content-Encoding': 'gzip',
  // The file name contains a hash of the content, so the content never changes.
  'Cache-Control': 'public, max-age=31536000, immutable',
});

/** GET /docs/scalar-….js: the script that renders the reference page, compressed; needs no API key. */
export const handler = endpoint().handler(async event => {
  // Plain it would come close to the 6 MB of a function's response, and cost three times as much to send.
  if (!acceptsGzip(event)) {
    throw new ApiError('not_acceptable', 'This script is served compressed only: accept the encoding gzip.');
  }
  return conditionalResponse(renderer, event);
});
