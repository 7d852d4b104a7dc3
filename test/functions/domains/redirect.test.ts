import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { proofOf } from '../../../shared/domains/arrival-proof.ts';
import { parseJson } from '../../../shared/http/json.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { live } from '../../shared/domains/claimed-domain.ts';
import {
  type ClientRequest,
  expectError,
  proxyEvent,
  REQUEST_ID,
  type ReadResponse,
} from '../proxy-event.ts';

const HOST = 'www.zoo.example';

type Send = (request?: ClientRequest & { host?: string | undefined }) => Promise<ReadResponse>;

/** The function on tables of its own, with a host that redirects. */
async function redirectFunction(): Promise<Send> {
  const [domains, projects] = await Promise.all([tableLike('DomainsTable'), tableLike('ProjectsTable')]);
  vi.stubEnv('DOMAINS_TABLE', domains);
  vi.stubEnv('PROJECTS_TABLE', projects);
  vi.stubEnv('PROOF_SECRET', 'secret');
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/domains/redirect.ts');
  const { documents } = await import('../../../shared/aws/document-client.ts');
  const owners = {
    [HOST]: 'zoo',
    'zoo.example': 'zoo',
    'api.zoo.example': 'zoo',
    'lost.zoo.example': 'gone',
  };
  for (const [domain, project] of Object.entries(owners)) {
    const items = [live({ domain, project }), { domain, project: '#owner', provenBy: project }];
    for (const Item of items) await documents.send(new PutCommand({ TableName: domains, Item }));
  }
  await documents.send(new PutCommand({ TableName: projects, Item: projectItem(301) }));
  return async ({ host = HOST, ...request } = {}) => {
    const event = proxyEvent({ authorizer: null, ...request });
    const requestContext = { ...event.requestContext, domainName: host };
    const { statusCode, headers, body } = await handler({ ...event, requestContext }, {} as Context);
    const isJson = headers['Content-Type'] === 'application/json';
    return { status: statusCode, headers, text: body, body: isJson ? parseJson(body) : body };
  };
}

test('301: any method of any path, with its query, in any case of the host', async () => {
  const send = await redirectFunction();
  const called = { host: 'WWW.Zoo.Example', path: '/a%20b/', query: { c: ['d', 'e f'] } };
  for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const { status, headers } = await send({ method, ...called });
    expect([method, status]).toEqual([method, 301]);
    expect(headers).toEqual({
      Location: 'https://zoo.example/a%20b/?c=d&c=e%20f',
      'Cache-Control': 'max-age=300',
      'Content-Type': 'text/plain; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': REQUEST_ID,
    });
  }
});

test('301: a page of a listed origin may read and follow it, and no cache gives it to others', async () => {
  vi.stubEnv('BROWSER_ORIGINS', 'https://app.zoo.dev');
  const send = await redirectFunction();
  const { status, headers } = await send({ headers: { Origin: 'https://app.zoo.dev' } });
  expect(status).toBe(301);
  expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': 'https://app.zoo.dev', Vary: 'Origin' });
  const other = await send({ headers: { Origin: 'https://elsewhere.example' } });
  expect(other.headers).not.toHaveProperty('Access-Control-Allow-Origin');
});

test('308: the default URL of a project, to its live primary domain', async () => {
  vi.stubEnv('PLATFORM_DOMAIN', 'apps.petstore.example');
  const send = await redirectFunction();
  const called = { host: 'Zoo.apps.petstore.example', path: '/v1/pets', query: { limit: ['1'] } };
  expect(await send(called)).toMatchObject({
    status: 308,
    headers: { Location: 'https://zoo.example/v1/pets?limit=1' },
  });
});

describe('503 until it is mapped to the API of its project:', () => {
  const expectUnavailable = (response: ReadResponse) => {
    expectError(response, 503, 'unavailable');
    expect(response.headers).toMatchObject({ 'Retry-After': '1', 'Cache-Control': 'no-store' });
    expect(response.headers).not.toHaveProperty('Location');
  };
  beforeEach(hideLog);

  test('a domain and a default URL that lead to one whose visitors get elsewhere, at most two seconds later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    vi.stubEnv('PLATFORM_DOMAIN', 'apps.petstore.example');
    const send = await redirectFunction();
    const hosts = [HOST, 'zoo.apps.petstore.example'];
    for (const host of hosts)
      expect((await send({ host })).headers.Location).toBe('https://zoo.example/v1/pets');
    await putProject({ ...projectItem(301), awayDomains: new Set(['zoo.example']) });
    vi.advanceTimersByTime(2_000);
    for (const host of hosts) expectUnavailable(await send({ host }));
  });

  test.each([
    ['a domain that serves its project', 'zoo.example'],
    ['a domain whose redirect leads to one that is not live', 'api.zoo.example'],
    ['a default URL that serves beside the primary domain', 'serving.apps.petstore.example'],
  ])('%s', async (_, host) => {
    vi.stubEnv('PLATFORM_DOMAIN', 'apps.petstore.example');
    const send = await redirectFunction();
    await putProject({ ...projectItem(301), id: 'serving', whileLive: 'serve' });
    expectUnavailable(await send({ host }));
  });
});

test('404: a name of the platform domain that no project has, one that is closed, and one without a primary', async () => {
  vi.stubEnv('PLATFORM_DOMAIN', 'apps.petstore.example');
  const send = await redirectFunction();
  await putProject({ ...projectItem(301), id: 'shut', whileLive: 'closed' });
  await putProject({ ...projectItem(301), id: 'new', routing: undefined });
  for (const label of ['shop', 'a.zoo', 'shut', 'new']) {
    expectError(await send({ host: `${label}.apps.petstore.example` }), 404, 'not_found');
  }
});

test('200: any host proves that a request for it arrived, to whoever has the secret, by a nonce', async () => {
  const send = await redirectFunction();
  const nonces = ['a'.repeat(32), 'b'.repeat(32)];
  const proofs = new Set<unknown>();
  for (const host of [HOST, 'shop.example']) {
    for (const nonce of nonces) {
      const response = await send({ host, path: '/v1/domain-proof', query: { nonce: [nonce] } });
      expect(response).toMatchObject({ status: 200, headers: { 'Cache-Control': 'no-store' } });
      expect(response.body).toEqual({ proof: proofOf('secret', host, nonce) });
      proofs.add(response.text);
    }
  }
  expect(proofs.size).toBe(4);
  for (const query of [{}, { nonce: ['short'] }]) {
    expect(await send({ path: '/v1/domain-proof', query })).toMatchObject({ status: 301 });
  }
});

test.each([
  ['the project of the domain is gone', 'lost.zoo.example'],
  ['the domain is gone, and its redirect is left', 'old.zoo.example'],
  ['the host is not a custom domain', 'abcdefghij.execute-api.us-east-1.amazonaws.com'],
  ['the request has no host', ''],
])('404: %s', async (_, host) => {
  const send = await redirectFunction();
  const response = await send({ host });
  expectError(response, 404, 'not_found', 'Nothing is served here.');
  expect(response.headers['Cache-Control']).toBe('no-store');
  expect(response.headers).not.toHaveProperty('Location');
});

test('a host is looked up once in two seconds, one that does not redirect, too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  hideLog();
  const send = await redirectFunction();
  const statuses = async () => [(await send()).status, (await send({ host: 'zoo.example' })).status];
  expect(await statuses()).toEqual([301, 503]);
  const { routing, ...project } = projectItem(302);
  const [, , other] = routing.redirects;
  const from = { ...other, from: 'zoo.example', to: HOST };
  await putProject({ ...project, routing: { ...routing, primary: HOST, redirects: [from] } });
  vi.advanceTimersByTime(1_999);
  expect(await statuses()).toEqual([301, 503]);
  vi.advanceTimersByTime(1);
  expect(await statuses()).toEqual([503, 302]);
});

/** What is logged of an error isn't looked at here. */
function hideLog(): void {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
}

/** Stores the item of a project in the table of the function. */
async function putProject(Item: object): Promise<void> {
  const { documents } = await import('../../../shared/aws/document-client.ts');
  await documents.send(new PutCommand({ TableName: process.env.PROJECTS_TABLE, Item }));
}

/** The item of a project whose redirects have this status. Only that of HOST is in effect. */
function projectItem(status: number) {
  const at = '2026-01-01T00:00:00.000Z';
  return {
    id: 'zoo',
    plan: 'pro',
    apiId: 'abcdefghij',
    stage: 'staging',
    createdAt: at,
    whileLive: 'redirect',
    deployState: 'succeeded',
    deployedAt: at,
    routing: {
      liveDomains: ['zoo.example', HOST, 'old.zoo.example', 'api.zoo.example'],
      primary: 'zoo.example',
      redirects: [
        { from: 'old.zoo.example', to: 'zoo.example', status },
        { from: HOST, to: 'zoo.example', status },
        { from: 'api.zoo.example', to: 'lost.zoo.example', status },
      ],
    },
  };
}
