import { expect, onTestFinished, test, vi } from 'vitest';
import { type Secrets, serveSecrets } from '../../../infra/local/testing/served-secrets.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { CANARY_IMPAIRED, RUN_COMPLETED } from '../../../shared/log.ts';
import type { WhileLive } from '../../../shared/projects/project.ts';
import { SERVICE_PROJECT_ID } from '../../../shared/projects/project-choices.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { ENVIRONMENT, localGateway, PLAN } from '../../shared/api-keys/local-gateway.ts';
import { DEPLOYED, someProject } from '../../shared/projects/some-project.ts';
import { loggedLines } from '../logged-lines.ts';

const PROJECT = someProject({ id: SERVICE_PROJECT_ID, apiId: PLAN.restApiId, deploy: DEPLOYED });
const ROUTING = { liveDomains: ['www.zoo.dev'], primary: 'www.zoo.dev', redirects: [] };

const SECRET_ARN = 'arn:aws:secretsmanager:us-east-1:000000000000:secret:canary-abcdef';

/** What the second run of the canary, which has its key, requests and logs. Before it, something may be taken away. */
async function secondRun(
  response: Response | Error,
  whileLive: WhileLive = 'redirect',
  takeAway: (secrets: Secrets) => void = () => {},
) {
  await localGateway();
  const value = 'a secret of the stack that nobody guesses';
  const { secrets, endpoint } = await serveSecrets({ [SECRET_ARN]: value });
  const projects = await tableLike('ProjectsTable');
  const variables = {
    API_KEYS_TABLE: await tableLike('ApiKeysTable'),
    API_KEY_PREFIX: 'pet_test_',
    BASE_URL: 'https://api.test/v1',
    AWS_ENDPOINT_URL_SECRETS_MANAGER: endpoint,
    CANARY_SECRET_ARN: SECRET_ARN,
    ENVIRONMENT,
    PROJECTS_TABLE: projects,
    REST_API_ID: PLAN.restApiId,
    STAGE_NAME: PLAN.stageName,
    USAGE_PLAN_ID: PLAN.usagePlanId,
  };
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  const request = vi.fn(async (_url: string, _init: RequestInit) => {
    if (response instanceof Error) throw response;
    return response;
  });
  // The hosts of the URLs exist on AWS only; test/service/canary.test.ts calls the running service.
  vi.stubGlobal('fetch', request);
  onTestFinished(() => {
    vi.unstubAllEnvs();
    vi.unstubAllGlobals();
  });
  const { addition, routingChange, endpointChange } = projectStore(projects);
  const writes = [addition(PROJECT), routingChange(PROJECT, ROUTING)];
  for (const write of [...writes, endpointChange(PROJECT.id, whileLive)]) await transact([write]);
  vi.resetModules();
  const load = async () => (await import('../../../functions/canary/call-api.ts')).handler;
  await (await load())();
  expect(request).not.toHaveBeenCalled();
  takeAway(secrets);
  vi.resetModules();
  const handler = await load();
  const lines = loggedLines();
  const outcome = await handler().catch(({ message }: Error) => message);
  const [[url, init] = []] = request.mock.calls;
  return { outcome, url, headers: init?.headers, redirect: init?.redirect, lines: lines() };
}

test('lists pets at the default endpoint with a key of its own', async () => {
  const { outcome, url, headers, lines } = await secondRun(Response.json([]));
  expect(outcome).toBeUndefined();
  expect(url).toBe('https://api.test/v1/pets?limit=1');
  expect(headers).toEqual({ Authorization: expect.stringMatching(/^Bearer pet_test_[0-9A-Za-z]{34}$/) });
  expect(lines).toMatchObject([{ message: RUN_COMPLETED, latencyMs: expect.any(Number) }]);
});

test.each([
  ['ours', 401, undefined],
  ['foreign', 200, 'GET https://www.zoo.dev/v1/pets?limit=1 returned 200.'],
])(
  'sends no key to the primary domain while the default endpoint is closed; it is %s',
  async (_, status, wanted) => {
    const challenge = { 'WWW-Authenticate': 'Bearer realm="petstore"' };
    const { outcome, url, headers } = await secondRun(
      Response.json([], { status, headers: challenge }),
      'closed',
    );
    expect(url).toBe('https://www.zoo.dev/v1/pets?limit=1');
    expect(headers).toEqual({});
    expect(outcome).toBe(wanted);
  },
);

test.each<[what: string, Response | Error, cause: object]>([
  [
    'a connection that fails',
    new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
    { message: 'fetch failed', cause: { message: 'connect ECONNREFUSED' } },
  ],
  ['a body that is not JSON', new Response('<html>'), { name: 'SyntaxError' }],
])('fails at %s, and logs the URL and the cause', async (_, response, cause) => {
  const { outcome, lines } = await secondRun(response);
  expect(outcome).toBe('GET https://api.test/v1/pets?limit=1 got no response that can be read.');
  expect(lines).toMatchObject([{ level: 'ERROR', url: 'https://api.test/v1/pets?limit=1', error: cause }]);
});

test('follows no redirect: its target would be called in place of the API, maybe with the key', async () => {
  const moved = new Response(null, { status: 308, headers: { Location: 'https://elsewhere.test/' } });
  const { outcome, redirect } = await secondRun(moved);
  expect([outcome, redirect]).toEqual(['GET https://api.test/v1/pets?limit=1 returned 308.', 'manual']);
});

test.each([
  [
    'an error',
    Response.json({ code: 'internal_error' }, { status: 500, headers: { 'X-Request-Id': 'abc=' } }),
  ],
  ['no list', Response.json({})],
])('fails at %s, and logs where and what', async (_, response) => {
  const { outcome, lines } = await secondRun(response);
  expect(outcome).toBe(`GET https://api.test/v1/pets?limit=1 returned ${response.status}.`);
  expect(lines).toMatchObject([
    { level: 'ERROR', status: response.status, requestId: response.headers.get('x-request-id') },
  ]);
});

const loseProjects = () => vi.stubEnv('PROJECTS_TABLE', 'no-table');
const loseSecret = (secrets: Secrets) => secrets.put(SECRET_ARN, 'short');

test.each([
  ['the projects', 200, loseProjects],
  ['the projects while the endpoint is closed', 403, loseProjects],
  ['its secret', 401, loseSecret],
])('logs that it cannot read %s, and does not fail: no client notices', async (_, status, takeAway) => {
  const { outcome, url, lines } = await secondRun(Response.json([], { status }), 'redirect', takeAway);
  expect([outcome, url]).toEqual([undefined, 'https://api.test/v1/pets?limit=1']);
  expect(lines[0]).toMatchObject({ level: 'ERROR', message: CANARY_IMPAIRED, lacking: [{}] });
});

test.each([loseProjects, loseSecret])('fails at an outage, whatever else it lacks', async takeAway => {
  const { outcome } = await secondRun(Response.json({}, { status: 500 }), 'redirect', takeAway);
  expect(outcome).toBe('GET https://api.test/v1/pets?limit=1 returned 500.');
});
