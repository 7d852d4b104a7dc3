import { describe, expect, test } from 'vitest';
import { DOMAIN_CHECKS } from '../../../../../infra/cli/checks/http/domain-checks.ts';
import { GATEWAY_CHECKS } from '../../../../../infra/cli/checks/http/gateway-checks.ts';
import type { Response } from '../../../../../infra/cli/checks/http/smoke-client.ts';
import { TEST_KEY } from '../../../../../infra/local/testing/served-endpoint.ts';
import { CommandError } from '../../../../../infra/operator/connection/command-error.ts';
import { silentServer } from '../../../../shared/aws/silent-server.ts';
import { endOf } from '../environment-stand-in.ts';

const HEADERS = {
  'x-request-id': '0123456789',
  'content-type': 'application/json',
  'www-authenticate': 'Bearer realm="petstore"',
};
const UNAUTHORIZED = JSON.stringify({ code: 'unauthorized', message: 'No.', status: 401 });

/** The API of the service, and that of the project zoo. */
const [OWN_API, OTHER_API] = ['abcdefghij', 'klmnopqrst'];

/** Runs the checks in an environment with these domains of two projects, and returns what each ended with. */
async function outcomes(
  domains: { readonly petstore?: readonly object[]; readonly zoo?: readonly object[] },
  answer: Partial<Response>,
  edge?: object,
  present: readonly object[] = Object.values(domains).flat(),
): Promise<string[]> {
  const projects = [
    { id: 'petstore', apiId: OWN_API },
    { id: 'zoo', apiId: OTHER_API },
  ];
  const read = async (command: string, { project = '', domain = '' } = {}) => {
    if (command === 'projects.list') return { projects };
    if (command === 'domains.list') return { domains: domains[project as 'zoo'] ?? [] };
    const shown = present.find(each => 'domain' in each && each.domain === domain);
    if (shown) return shown;
    throw new CommandError('not_found', 'It is gone.');
  };
  const environment = {
    apiId: OWN_API,
    session: { read, target: { edge } },
    send: async (request: string) => ({
      request,
      status: 401,
      headers: HEADERS,
      text: UNAUTHORIZED,
      ...answer,
    }),
  };
  return Promise.all(DOMAIN_CHECKS.map(check => endOf(check, environment)));
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
      'skipped: no project has a live domain',
      'skipped: no redirecting domain is live',
    ]);
  });

  test('ask each live domain of every project, and say which', async () => {
    const [serving] = await outcomes(
      { petstore: [SERVING, REDIRECTING], zoo: [OTHER] },
      { headers: { ...HEADERS, 'x-amzn-requestid': '0123456789' } },
    );
    expect(serving).toEqual('ok: petstore: www.example.com; zoo: www.example.net');
    const headers = { ...HEADERS, location: 'https://www.example.com/v1/pets?limit=1' };
    const [, redirecting] = await outcomes({ petstore: [SERVING, REDIRECTING] }, { status: 301, headers });
    expect(redirecting).toEqual('ok: petstore: example.com');
  });

  test('name the domain that does not serve, or redirects elsewhere', async () => {
    const [serving] = await outcomes({ petstore: [SERVING] }, { status: 403, text: '{}' });
    expect(serving).toBe(
      'broken: GET https://www.example.com/v1/pets?limit=1: expected 401 with an Error of the code unauthorized, got 403 {} (X-Request-Id 0123456789)',
    );
    const [, redirecting] = await outcomes({ petstore: [REDIRECTING] }, { status: 301 });
    expect(redirecting).toContain('GET https://example.com/v1/pets?limit=1: expected the header location');
  });

  test('ignore a domain that was removed, or got another role, since it was listed', async () => {
    const unmapped = { status: 403, text: '{}' };
    for (const present of [
      [],
      [
        { ...SERVING, role: null },
        { ...REDIRECTING, role: 'also_serves' },
      ],
    ]) {
      const ended = await outcomes({ petstore: [SERVING, REDIRECTING] }, unmapped, undefined, present);
      expect(ended).toEqual([expect.stringMatching(/^ok: /), expect.stringMatching(/^ok: /)]);
    }
  });

  test.each([
    ['no mapping', { status: 403, text: '{"message":"Forbidden"}' }],
    ['a failing API', { status: 500 }],
    ['another server', { headers: HEADERS }],
  ])('name the domain of another API with %s', async (_, answer) => {
    const gateway = { headers: { ...HEADERS, 'x-amzn-requestid': '0123456789' } };
    const [serving] = await outcomes({ zoo: [OTHER] }, { ...gateway, ...answer });
    expect(serving).toMatch(/^broken: GET https:\/\/www\.example\.net\/: expected a response of the API/);
  });
});

test('domains of one machine are tried at its edge, wherever DNS leads', async () => {
  const [served] = await outcomes({ petstore: [SERVING] }, {}, { https: '127.0.0.1:443' });
  expect(served).toEqual('ok: petstore: www.example.com (at the edge of this machine; DNS not checked)');
});

/** Runs a check of API Gateway's configuration, which is what API Gateway returns by path. */
async function configured(check: RegExp, answers: Record<string, object>): Promise<string> {
  const { endpoint } = await silentServer(({ url = '' }) => {
    const [path = ''] = url.split('?');
    return (_, response) =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(answers[path] ?? {}));
  });
  const target = { stage: 'staging', aws: { endpoint, region: 'eu-central-1', credentials: TEST_KEY } };
  const found = GATEWAY_CHECKS.find(({ name }) => check.test(name));
  return endOf(found, { apiId: OWN_API, session: { target } });
}

test.each([
  [undefined, 'broken: the API has no authorizer'],
  [[{ authorizerResultTtlInSeconds: 300 }], 'ok'],
  [[{ authorizerResultTtlInSeconds: 301 }], /caches its decisions for 301 s, which is more than 300 s/],
])('authorizers %j: %s', async (item, outcome) => {
  const path = `/restapis/${OWN_API}/authorizers`;
  expect(await configured(/\(authorizer\)/, { [path]: { item } })).toMatch(outcome);
});

test.each([
  [undefined, 'broken: no usage plan limits the API keys of the stage'],
  [200, 'ok'],
  [201, /throttle of an operation is 200 per second .* each API key is 201 per second/],
])('an operation of 200 requests a second and a key of %s: %s', async (rateLimit, outcome) => {
  const apiStages = [{ apiId: OWN_API, stage: 'staging' }];
  const throttle = rateLimit && { rateLimit, burstLimit: 1 };
  const methodSettings = { '~1v1~1pets/GET': { throttlingRateLimit: 200, throttlingBurstLimit: 1 } };
  const outcomeSeen = await configured(/\(throttles\)/, {
    [`/restapis/${OWN_API}/stages/staging`]: { methodSettings },
    '/usageplans': { item: [{ apiStages, throttle }] },
  });
  expect(outcomeSeen).toMatch(outcome);
});
