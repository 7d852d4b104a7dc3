import { describe, expect, test } from 'vitest';
import type { SmokeEnvironment } from '../../../../../infra/cli/environment/smoke/check.ts';
import { DOMAIN_CHECKS } from '../../../../../infra/cli/environment/smoke/checks.ts';
import type { Response } from '../../../../../infra/cli/environment/smoke/smoke-client.ts';

const HEADERS = {
  'x-request-id': '0123456789',
  'content-type': 'application/json',
  'www-authenticate': 'Bearer realm="petstore"',
};
const UNAUTHORIZED = JSON.stringify({ code: 'unauthorized', message: 'No.', status: 401 });

/** The API of the service, and that of the project zoo. */
const [OWN_API, OTHER_API] = ['abcdefghij', 'klmnopqrst'];

interface Outcome {
  readonly outcome: string;
  readonly note?: string;
}

/** Runs the checks in an environment with these domains of two projects, and returns what each ended with. */
async function outcomes(
  domains: { readonly petstore?: readonly object[]; readonly zoo?: readonly object[] },
  answer: Partial<Response>,
): Promise<Outcome[]> {
  const projects = [
    { id: 'petstore', apiId: OWN_API },
    { id: 'zoo', apiId: OTHER_API },
  ];
  const read = async (command: string, { project = '' } = {}) =>
    command === 'projects.list' ? { projects } : { domains: domains[project as 'zoo'] ?? [] };
  const environment = {
    apiId: OWN_API,
    session: { read },
    send: async (request: string) => ({
      request,
      status: 401,
      headers: HEADERS,
      text: UNAUTHORIZED,
      ...answer,
    }),
  } as unknown as SmokeEnvironment;
  return Promise.all(
    DOMAIN_CHECKS.map(async check => {
      const notes: string[] = [];
      const outcome = await check
        .run(environment, text => notes.push(text))
        .then(
          () => 'ok',
          ({ name, message }: Error) => `${name}: ${message}`,
        );
      return { outcome, ...(notes.length > 0 && { note: notes.join() }) };
    }),
  );
}

const SERVING = { domain: 'www.example.com', role: 'primary', redirect: null };
const OTHER = { domain: 'www.example.net', role: 'also_serves', redirect: null };
const REDIRECTING = {
  domain: 'example.com',
  role: 'redirects',
  redirect: { to: 'www.example.com', status: 301 },
};

describe('the checks of custom domains', () => {
  test('are skipped where no domain is live', async () => {
    expect(await outcomes({ petstore: [{ domain: 'new.example.com', role: null }] }, {})).toEqual([
      { outcome: 'Skipped: no project has a live domain' },
      { outcome: 'Skipped: no redirecting domain is live' },
    ]);
  });

  test('ask each live domain of every project, and say which', async () => {
    const [serving] = await outcomes(
      { petstore: [SERVING, REDIRECTING], zoo: [OTHER] },
      { headers: { ...HEADERS, 'x-amzn-requestid': '0123456789' } },
    );
    expect(serving).toEqual({ outcome: 'ok', note: 'petstore: www.example.com; zoo: www.example.net' });
    const headers = { ...HEADERS, location: 'https://www.example.com/v1/pets?limit=1' };
    const [, redirecting] = await outcomes({ petstore: [SERVING, REDIRECTING] }, { status: 301, headers });
    expect(redirecting).toEqual({ outcome: 'ok', note: 'petstore: example.com' });
  });

  test('name the domain that does not serve, or redirects elsewhere', async () => {
    const [serving] = await outcomes({ petstore: [SERVING] }, { status: 403, text: '{}' });
    expect(serving?.outcome).toBe(
      'Broken: GET https://www.example.com/v1/pets?limit=1: expected 401 with an Error of the code unauthorized, got 403 {} (X-Request-Id 0123456789)',
    );
    const [, redirecting] = await outcomes({ petstore: [REDIRECTING] }, { status: 301 });
    expect(redirecting?.outcome).toContain(
      'GET https://example.com/v1/pets?limit=1: expected the header location',
    );
  });

  test.each([
    ['no mapping', { status: 403, text: '{"message":"Forbidden"}' }],
    ['a failing API', { status: 500 }],
    ['another server', { headers: HEADERS }],
  ])('name the domain of another API with %s', async (_, answer) => {
    const gateway = { headers: { ...HEADERS, 'x-amzn-requestid': '0123456789' } };
    const [serving] = await outcomes({ zoo: [OTHER] }, { ...gateway, ...answer });
    expect(serving?.outcome).toMatch(
      /^Broken: GET https:\/\/www\.example\.net\/: expected a response of the API/,
    );
  });
});
