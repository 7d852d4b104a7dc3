import { ListExecutionsCommand } from '@aws-sdk/client-sfn';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Context } from 'aws-lambda';
import { expect, test, vi } from 'vitest';
import { deployedMachine, lambda, MACHINE_ARN } from '../../../infra/local/testing/deployed-machine.ts';
import { claimOf } from '../../../shared/domains/life/domain.ts';
import { domainStore } from '../../../shared/domains/life/domain-store.ts';
import { linkOf, newLinkKey } from '../../../shared/setup/link.ts';
import { PAGE_HEADERS } from '../../../shared/setup/page.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/domains/aws/client-endpoint.ts';
import { certified, claimed, live, NAME } from '../../shared/domains/claimed-domain.ts';
import { proxyEvent } from '../proxy-event.ts';

const linkKey = newLinkKey();
const certificate = certified({ status: 'PENDING_VALIDATION' });
const CLAIM = { ...claimed({ certificate }), linkKey };
const AT = '2026-01-01T00:00:00.000Z';

/** The functions on tables of their own, with www.zoo.example, its apex, and a state machine that notes what is started. */
async function pages(...claims: object[]) {
  const [domains, projects] = await Promise.all([tableLike('DomainsTable'), tableLike('ProjectsTable')]);
  const machine = await deployedMachine(
    { StartAt: 'Done', States: { Done: { Type: 'Succeed' } } },
    lambda(() => ({})),
  );
  stubEndpoint('SFN', machine.endpoint);
  vi.stubEnv('DOMAINS_TABLE', domains);
  vi.stubEnv('PROJECTS_TABLE', projects);
  vi.stubEnv('TEND_MACHINE_ARN', MACHINE_ARN);
  vi.resetModules();
  const show = await import('../../../functions/setup/show-setup.ts');
  const ask = await import('../../../functions/setup/ask-for-look.ts');
  const { documents } = await import('../../../shared/aws/document-client.ts');
  const routing = {
    liveDomains: [],
    primary: null,
    redirects: [{ from: 'zoo.example', to: NAME, status: 301 }],
  };
  const project = {
    id: 'zoo',
    name: 'The Zoo',
    plan: 'pro',
    apiId: 'a',
    stage: 's',
    createdAt: AT,
    whileLive: 'serve',
  };
  const deploy = { deployState: 'succeeded', deployedAt: AT, succeededAt: AT };
  await documents.send(new PutCommand({ TableName: projects, Item: { ...project, ...deploy, routing } }));
  for (const Item of claims)
    await documents.send(new PutCommand({ TableName: domains, Item: Item as never }));
  const send = async (method: 'GET' | 'HEAD' | 'POST', path: string, domain?: string) => {
    const [, , name, key] = path.split('/');
    const event = proxyEvent({
      method,
      path: `/v1${path}`,
      pathParameters: { domain: domain ?? name ?? '', key: key ?? '' },
      authorizer: null,
    });
    const { statusCode, headers, body } = await (method === 'POST' ? ask : show).handler(
      event,
      {} as Context,
    );
    return { status: statusCode, headers, body };
  };
  const store = domainStore(domains);
  /** The names of the executions that were started. */
  const started = async () => {
    const list = new ListExecutionsCommand({ stateMachineArn: MACHINE_ARN });
    const { executions = [] } = await machine.client.send(list);
    return executions.map(({ name }) => name).toSorted();
  };
  return { send, started, stored: (domain = NAME) => store.claimsOf(domain) };
}

const path = linkOf(CLAIM, Date.now()).path;

test('200: the page of a domain, which is kept by nobody and loads nothing; reading it changes nothing', async () => {
  const { send, started, stored } = await pages(CLAIM);
  const { status, headers, body } = await send('GET', path);
  expect([status, headers]).toMatchObject([200, PAGE_HEADERS]);
  expect(body).toContain('The Zoo');
  expect(body).toContain(CLAIM.target);
  expect(await send('HEAD', path)).toMatchObject({ status: 200, body: '' });
  expect([await stored(), await started()]).toEqual([[CLAIM], []]);
});

test('200: an apex and its www have one page, by the link of either', async () => {
  const target = 'fedcba98765432100123.apps.petstore.example';
  const apex = {
    ...claimed({ domain: 'zoo.example', kind: 'apex', target, certificate }),
    linkKey: newLinkKey(),
  };
  const { send, started, stored } = await pages(CLAIM, apex);
  for (const link of [path, linkOf(apex, Date.now()).path]) {
    expect((await send('GET', link)).body.replace(/\s+/g, ' ')).toMatch(
      />www\.zoo\.example<.*>zoo\.example<|>zoo\.example<.*>www\.zoo\.example</,
    );
  }
  await send('POST', path);
  expect(await started()).toHaveLength(2);
  expect(await stored('zoo.example')).toMatchObject([{ status: 'verifying' }]);
});

test('404 with the same bytes for a link that is forged, ended or unknown, or whose domain is being removed', async () => {
  const old = linkOf(CLAIM, Date.now() - 100 * 24 * 60 * 60 * 1000).path;
  const removing = live({ domain: 'gone.example', status: 'removing', removalStartedAt: AT, linkKey });
  const { send, stored } = await pages(CLAIM, removing);
  const gone = linkOf({ domain: 'gone.example', linkKey }, Date.now()).path;
  const links = [
    old,
    gone,
    `${path}0`,
    path.slice(0, -1),
    path.toUpperCase(),
    path.replace(NAME, 'zoo.example'),
    '/setup/x/y',
  ];
  const replies = await Promise.all([
    ...links.flatMap(link => [send('GET', link), send('POST', link)]),
    send('GET', path, '#default'),
    send('GET', path, ''),
  ]);
  const [first] = replies;
  expect(first).toMatchObject({ status: 404, body: expect.stringContaining("This link doesn't work") });
  for (const { status, body, headers } of replies) {
    expect([status, body, headers]).toEqual([404, first?.body, first?.headers]);
  }
  expect(await stored()).toEqual([CLAIM]);
});

test('303: an ask starts the verification, further ones wake it, and those over the limit do nothing', async () => {
  const { send, started, stored } = await pages(CLAIM);
  const replies = [];
  for (let count = 0; count < 14; count += 1) replies.push(await send('POST', path));
  expect(new Set(replies.map(({ status, headers }) => `${status} ${headers.Location}`))).toEqual(
    new Set([`303 /staging/v1${path}`]),
  );
  const [claim] = await stored();
  expect(claim).toMatchObject({ status: 'verifying', isStartedByOwner: true, linkKey });
  // Until the first pass, there's nothing to wake.
  expect(await started()).toEqual([`${claimOf(CLAIM)}-${claim?.attempt}`]);
  expect((await send('GET', path)).body).toMatch(/You can check again from/);
});
