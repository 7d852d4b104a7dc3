import { expect, onTestFinished, test, vi } from 'vitest';
import { serveAcm } from '../../../infra/local/testing/served-acm.ts';
import { serveControlPlane } from '../../../infra/local/testing/served-control-plane.ts';
import { servedRoute53 } from '../../../infra/local/testing/served-route53.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/domains/aws/client-endpoint.ts';
import { certified, claimed, live } from '../../shared/domains/claimed-domain.ts';
import { loggedLines } from '../logged-lines.ts';

const TARGET_ZONE = 'apps.petstore.example';

/** The function over tables of its own. Executions aren't started, but recorded; no name server responds. */
async function reconcileFunction() {
  const [table, projects, acm, gateway, route53] = await Promise.all([
    tableLike('DomainsTable'),
    tableLike('ProjectsTable'),
    serveAcm(),
    serveControlPlane(),
    servedRoute53(),
  ]);
  stubEndpoint('ACM', acm.endpoint);
  stubEndpoint('API_GATEWAY', gateway.endpoint);
  stubEndpoint('ROUTE_53', route53.endpoint);
  vi.stubEnv('ENVIRONMENT', 'staging');
  vi.stubEnv('DOMAINS_TABLE', table);
  vi.stubEnv('PROJECTS_TABLE', projects);
  vi.stubEnv('PLATFORM_ZONE_ID', await route53.created(TARGET_ZONE));
  vi.stubEnv('MANAGED_ZONE_IDS', '[]');
  vi.stubEnv('DNS_RESOLVERS', '127.0.0.1');
  vi.stubEnv('PROOF_SECRET', 'secret');
  vi.stubEnv('REDIRECT_API_ID', 'redirects1');
  vi.stubEnv('REDIRECT_STAGE', 'test-redirects');
  vi.stubEnv('TEND_MACHINE_ARN', 'arn:aws:states:us-east-1:000000000000:stateMachine:Tend');
  vi.resetModules();
  const { SFNClient } = await import('@aws-sdk/client-sfn');
  const start = vi.spyOn(SFNClient.prototype, 'send').mockImplementation(async () => ({}));
  onTestFinished(() => {
    start.mockRestore();
  });
  const { handler } = await import('../../../functions/domains/reconcile-domains.ts');
  const { domainStore } = await import('../../../shared/domains/life/domain-store.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  const domains = domainStore(table);
  return {
    handler,
    domains,
    start,
    store: (...claims: Parameters<typeof domains.claim>[0][]) => transact(claims.map(domains.claim)),
  };
}

const now = () => new Date().toISOString();
const unbegun = () =>
  claimed({ domain: 'a.zoo.example', status: 'verifying', attempt: 7, verifyStartedAt: now() });

test('on a schedule: does what is due, leaves the other domains alone, and logs how all of them are', async () => {
  const { handler, domains, start, store } = await reconcileFunction();
  const running = claimed({
    domain: 'b.zoo.example',
    status: 'verifying',
    verifyStartedAt: now(),
    rounds: 3,
    nextCheckAt: new Date(Date.now() + 60_000).toISOString(),
    certificate: certified(),
  });
  const served = live({ domain: 'c.zoo.example', checkedAt: now() });
  await store(unbegun(), running, served);
  const lines = loggedLines();
  const done = { reconciled: 1, looked: 0, tended: 0 };
  expect(await handler({ source: 'aws.events' })).toEqual(done);
  expect(lines()).toContainEqual(
    expect.objectContaining({
      message: RUN_COMPLETED,
      ...done,
      domains: 3,
      live: 1,
      needAttention: 0,
      failedWithinADay: 0,
      certificatesExpiringSoon: 0,
    }),
  );
  expect(start.mock.calls).toEqual([
    [
      expect.objectContaining({
        input: expect.objectContaining({
          input: JSON.stringify({ domain: 'a.zoo.example', project: 'zoo', attempt: 7 }),
        }),
      }),
    ],
  ]);
  expect((await domains.find('a.zoo.example', 'zoo'))?.certificate.arn).toMatch(/^arn:aws:acm:/);
  expect(await domains.find('b.zoo.example', 'zoo')).toEqual(running);
  expect(await domains.find('c.zoo.example', 'zoo')).toEqual(served);
});

test('on a schedule: fails if something fails, and still logs how all domains are', async () => {
  const { handler, start, store } = await reconcileFunction();
  await store(unbegun());
  start.mockRejectedValue(new Error('Rate exceeded'));
  const lines = loggedLines();
  await expect(handler({ source: 'aws.events' })).rejects.toThrow('The work on some domains failed.');
  expect(lines()).toContainEqual(expect.objectContaining({ message: RUN_COMPLETED, domains: 1, live: 0 }));
});

test('for an event of ACM: tends the domain of that certificate, whenever it was looked at, and no other', async () => {
  const { handler, domains, store } = await reconcileFunction();
  const [lost, other] = ['1', '2'].map(id => `arn:aws:acm:us-east-1:000000000000:certificate/${id}`);
  const affected = live({ checkedAt: now(), certificate: certified({ arn: lost as string }) });
  const certificate = certified({ arn: other as string });
  const unaffected = live({ domain: 'c.zoo.example', checkedAt: now(), certificate });
  await store(affected, unaffected);
  const lines = loggedLines();
  expect(await handler({ source: 'aws.acm', resources: [lost as string] })).toEqual({ tended: 1 });
  // ACM doesn't have it.
  expect(await domains.find(affected.domain, 'zoo')).toMatchObject({ reason: 'certificate_lost' });
  expect(await domains.find('c.zoo.example', 'zoo')).toEqual(unaffected);
  // Metrics count scheduled runs.
  expect(lines()).not.toContainEqual(expect.objectContaining({ message: RUN_COMPLETED }));
});
