import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { validationRecord } from '../../../infra/local/acm/dns-validation.ts';
import { startPublicDns } from '../../../infra/local/dns/public-dns.ts';
import { HostedZones } from '../../../infra/local/route53/hosted-zones.ts';
import { serveAcm } from '../../../infra/local/test/acm/served-acm.ts';
import { routeTo } from '../../../infra/local/test/lambda/routed-sockets.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/domains/aws/client-endpoint.ts';
import { AT, certified, live, TARGET } from '../../shared/domains/claimed-domain.ts';

vi.mock('node:dgram', async () => (await import('../../../infra/local/test/lambda/routed-sockets.ts')).dgram);
vi.mock('node:net', async () => (await import('../../../infra/local/test/lambda/routed-sockets.ts')).net);

const [HEALTHY, DRIFTED, FAILED] = ['healthy.zoo.example', 'drifted.zoo.example', 'failed.zoo.example'];

/** Serves the zone zoo.example with all required records of these names; returns the addresses of two resolvers. */
async function servedZone(names: readonly string[]): Promise<string> {
  const zones = new HostedZones();
  const zone = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
  const recordSets = names.flatMap(name => {
    const { Name, Value } = validationRecord(name);
    return [
      { name: `${name}.`, type: 'CNAME' as const, ttlSeconds: 300, values: [TARGET] },
      { name: Name, type: 'CNAME' as const, ttlSeconds: 300, values: [Value] },
    ];
  });
  const dns = await startPublicDns(zones);
  onTestFinished(dns.stop);
  const [{ address: first }, { address: second }] = dns.resolvers;
  zones.replaceRecordSets(zone.id, [...zone.recordSets, ...recordSets]);
  routeTo(first, second);
  return `${first},${second}`;
}

/** The function, its store with a healthy, a drifted and a failed domain, and the lines that it logs. */
async function recheckFunction(healthyArn?: string) {
  const [table, projects, resolver, acm] = await Promise.all([
    tableLike('DomainsTable'),
    tableLike('ProjectsTable'),
    servedZone([HEALTHY, FAILED]),
    serveAcm(),
  ]);
  stubEndpoint('ACM', acm.endpoint);
  vi.stubEnv('ENVIRONMENT', 'staging');
  vi.stubEnv('DOMAINS_TABLE', table);
  vi.stubEnv('DNS_RESOLVERS', resolver);
  vi.stubEnv('PROOF_SECRET', 'secret');
  vi.stubEnv('PROJECTS_TABLE', projects);
  vi.stubEnv('PLATFORM_ZONE_ID', 'Z1');
  vi.stubEnv('REDIRECT_API_ID', 'redirects1');
  vi.stubEnv('REDIRECT_STAGE', 'test-redirects');
  vi.resetModules();
  vi.doMock('../../../shared/domains/reach.ts', () => ({
    reacher: () => async () => ({ edge: { kind: 'reached' }, visitors: { kind: 'reached' } }),
  }));
  onTestFinished(() => {
    vi.doUnmock('../../../shared/domains/reach.ts');
  });
  const { handler } = await import('../../../functions/domains/recheck-domains.ts');
  const { domainStore } = await import('../../../shared/domains/life/domain-store.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  const store = domainStore(table);
  const arns: Record<string, string> = {};
  await attachDomainNames(projects, arns);
  for (const domain of [HEALTHY, DRIFTED, FAILED]) {
    const arn = await acm.requested(domain);
    acm.certificates.change(arn, { status: 'ISSUED' });
    arns[domain] = arn;
    const status = domain === FAILED ? 'failed' : 'live';
    const storedArn = domain === HEALTHY ? (healthyArn ?? arn) : arn;
    await transact([store.claim(live({ domain, status, certificate: certified({ arn: storedArn }) }))]);
  }
  // ACM names the validation records five seconds after the request.
  acm.nowMs += 5000;
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
  });
  const logged = () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
  return { handler, store, arns, logged };
}

/** API Gateway and Route 53 respond as the service has left the domain names, their mappings and their host. */
async function attachDomainNames(projectsTable: string, arns: Record<string, string>): Promise<void> {
  const { projectStore } = await import('../../../shared/projects/project-store.ts');
  await projectStore(projectsTable).recordDeploy(
    { id: 'zoo', plan: 'pro', apiId: 'abcdefghij', stage: 'test' },
    AT,
  );
  const { APIGatewayClient } = await import('@aws-sdk/client-api-gateway');
  const { Route53Client } = await import('@aws-sdk/client-route-53');
  const { gateway } = live();
  vi.spyOn(APIGatewayClient.prototype, 'send').mockImplementation(async (command: { input: object }) => ({
    regionalDomainName: gateway?.host,
    regionalCertificateArn: arns[(command.input as { domainName: string }).domainName],
    tags: { 'petstore:environment': 'staging', 'petstore:claim': TARGET.slice(0, TARGET.indexOf('.')) },
    restApiId: 'abcdefghij',
    stage: 'test',
  }));
  vi.spyOn(Route53Client.prototype, 'send').mockImplementation(async () => ({
    ResourceRecordSets: [
      { Name: `${TARGET}.`, Type: 'CNAME', ResourceRecords: [{ Value: gateway?.host ?? '' }] },
    ],
  }));
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
}

const DRIFT_LINE = {
  message: 'A live domain needs attention.',
  domain: DRIFTED,
  reason: 'traffic_record_missing',
};

describe('the re-check function', () => {
  test('checks every live domain, and logs one that needs attention', async () => {
    const { handler, store, logged } = await recheckFunction();
    expect(await handler({ source: 'aws.events' })).toEqual({ checked: 2 });
    expect(await store.find(HEALTHY, 'zoo')).toMatchObject({
      status: 'live',
      reason: null,
      checkedAt: expect.any(String),
    });
    expect(await store.find(DRIFTED, 'zoo')).toMatchObject({
      status: 'needs_attention',
      reason: DRIFT_LINE.reason,
    });
    expect(await store.find(FAILED, 'zoo')).toMatchObject({ status: 'failed', checkedAt: null });
    expect(logged()).toMatchObject([DRIFT_LINE, { message: RUN_COMPLETED, checked: 2 }]);
  });

  test('checks only the domain of the certificate when ACM sends an event', async () => {
    const { handler, store, arns, logged } = await recheckFunction();
    expect(await handler({ source: 'aws.acm', resources: [arns[DRIFTED] ?? ''] })).toEqual({ checked: 1 });
    expect(await store.find(HEALTHY, 'zoo')).toMatchObject({ checkedAt: null });
    expect(await store.find(DRIFTED, 'zoo')).toMatchObject({ reason: DRIFT_LINE.reason });
    expect(await handler({ source: 'aws.acm', resources: ['another'] })).toEqual({ checked: 0 });
    // It doesn't count as a daily check.
    expect(logged()).not.toContainEqual(expect.objectContaining({ message: RUN_COMPLETED }));
  });

  test('checks the other domains, then fails, when one cannot be checked', async () => {
    const { handler, store, logged } = await recheckFunction('no ARN');
    await expect(handler({})).rejects.toThrow('The work on some domains failed.');
    expect(await store.find(DRIFTED, 'zoo')).toMatchObject({ reason: DRIFT_LINE.reason });
    expect(logged()).toEqual(
      expect.arrayContaining([
        expect.objectContaining(DRIFT_LINE),
        expect.objectContaining({ message: 'The work on a domain failed.', domain: HEALTHY }),
      ]),
    );
    expect(logged()).not.toContainEqual(expect.objectContaining({ message: RUN_COMPLETED }));
  });
});
