import { type Finding, failed, ok } from '../check.ts';
import { connectSmoke } from '../http/connect.ts';
import type { Response } from '../http/smoke-client.ts';
import type { Acceptance } from './report.ts';

/** Measures what AWS doesn't document about API Gateway. The service works with either outcome, unless it fails. */
export async function measureGateway({ session }: Acceptance): Promise<Finding> {
  const { baseUrl, clientOf } = await connectSmoke(session);
  const send = clientOf('');
  const facts: string[] = [];
  let failures = 0;
  const note = (fact: string, { status, request }: Response) => {
    if (status >= 500) failures += 1;
    facts.push(`${request}: ${fact} (${status})`);
  };

  for (const path of ['/pets//1', '//pets']) {
    const response = await send(`GET ${path}`, { key: null });
    const isRouted = response.status === 401;
    note(isRouted ? 'an empty segment is dropped or a parameter' : 'an empty segment has no match', response);
  }

  // These have no method of their own: `{proxy+}` takes them, but for the root.
  const unrouted = [String(new URL('.', baseUrl)), baseUrl, '/pets/1/x', '/no-such-path'];
  for (const path of unrouted) {
    for (const Authorization of [undefined, 'junk']) {
      const headers = Authorization === undefined ? {} : { Authorization };
      const response = await send(`GET ${path}`, { key: null, headers });
      const isFound = response.status !== 404;
      if (isFound) failures += 1;
      note(
        `${isFound ? "isn't a 404" : 'not found'}, ${Authorization ? 'with' : 'without'} a token`,
        response,
      );
    }
  }

  const head = await send('HEAD /openapi.json', { key: null });
  note(`the Content-Length of a body that was left out is ${head.headers['content-length'] ?? 'none'}`, head);

  return failures > 0
    ? failed(`${failures} of the requests failed`, facts)
    : ok('measured: see below', facts);
}
