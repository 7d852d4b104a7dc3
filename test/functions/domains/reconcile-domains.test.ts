import { expect, onTestFinished, test, vi } from 'vitest';
import { serveAcm } from '../../../infra/local/test/acm/served-acm.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/domains/aws/client-endpoint.ts';
import { certified, claimed, live } from '../../shared/domains/claimed-domain.ts';
import { loggedLines } from '../logged-lines.ts';

/** The function over a table of its own; what it sends to Step Functions and Route 53 is recorded. */
async function reconcileFunction() {
  const [table, projects, acm] = await Promise.all([
    tableLike('DomainsTable'),
    tableLike('ProjectsTable'),
    serveAcm(),
  ]);
  vi.stubEnv('PROJECTS_TABLE', projects);
  stubEndpoint('ACM', acm.endpoint);
  vi.stubEnv('ENVIRONMENT', 'staging');
  vi.stubEnv('DOMAINS_TABLE', table);
  vi.stubEnv('PLATFORM_ZONE_ID', 'Z1');
  vi.stubEnv('DNS_RESOLVERS', '127.0.0.1');
  vi.stubEnv('PROOF_SECRET', 'secret');
  vi.stubEnv('REDIRECT_API_ID', 'redirects1');
  vi.stubEnv('REDIRECT_STAGE', 'test-redirects');
  vi.stubEnv('VERIFY_MACHINE_ARN', 'arn:aws:states:us-east-1:000000000000:stateMachine:Verify');
  vi.stubEnv('REMOVE_MACHINE_ARN', 'arn:aws:states:us-east-1:000000000000:stateMachine:Remove');
  vi.resetModules();
  const { SFNClient: Sfn } = await import('@aws-sdk/client-sfn');
  const { Route53Client } = await import('@aws-sdk/client-route-53');
  const started: unknown[] = [];
  vi.spyOn(Sfn.prototype, 'send').mockImplementation(async (command: { input: unknown }) => {
    started.push(command.input);
    return {};
  });
  vi.spyOn(Route53Client.prototype, 'send').mockImplementation(async () => ({}));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  const { handler } = await import('../../../functions/domains/reconcile-domains.ts');
  const { domainStore } = await import('../../../shared/domains/life/domain-store.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  const domains = domainStore(table);
  return {
    handler,
    domains,
    started,
    store: (...claims: Parameters<typeof domains.claim>[0][]) => transact(claims.map(domains.claim)),
  };
}

test('reconciles the domains whose command ended after the commit, and leaves the others alone', async () => {
  const { handler, domains, started, store } = await reconcileFunction();
  const phaseStartedAt = new Date().toISOString();
  const unbegun = claimed({ domain: 'a.zoo.example', status: 'verifying', attempt: 7, phaseStartedAt });
  const running = claimed({
    domain: 'b.zoo.example',
    status: 'verifying',
    rounds: 3,
    nextCheckAt: new Date(Date.now() + 60_000).toISOString(),
    certificate: certified(),
  });
  const served = live({ domain: 'c.zoo.example' });
  await store(unbegun, running, served);
  const lines = loggedLines();
  expect(await handler()).toEqual({ reconciled: 1 });
  expect(lines()).toContainEqual(
    expect.objectContaining({
      message: RUN_COMPLETED,
      reconciled: 1,
      domains: 3,
      live: 1,
      needAttention: 0,
      failedWithinADay: 0,
      certificatesExpiringSoon: 0,
    }),
  );
  expect(started).toEqual([
    expect.objectContaining({
      input: JSON.stringify({ domain: 'a.zoo.example', project: 'zoo', attempt: 7 }),
    }),
  ]);
  expect((await domains.find('a.zoo.example', 'zoo'))?.certificate.arn).toMatch(/^arn:aws:acm:/);
  expect(await domains.find('b.zoo.example', 'zoo')).toEqual(running);
  expect(await domains.find('c.zoo.example', 'zoo')).toEqual(served);
});
