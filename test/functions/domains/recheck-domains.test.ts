import { expect, onTestFinished, test, vi } from 'vitest';
import { validationRecord } from '../../../infra/local/acm/validation-record.ts';
import { startDnsServer } from '../../../infra/local/dns/dns-server.ts';
import { HostedZones } from '../../../infra/local/route53/hosted-zones.ts';
import { serveAcm } from '../../infra/local/acm/served-acm.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { clientsFind } from '../../shared/domains/aws/client-endpoint.ts';
import { certified, live, TARGET } from '../../shared/domains/claimed-domain.ts';

const [WELL, DRIFTING, ELSEWHERE] = ['well.zoo.example', 'drifting.zoo.example', 'elsewhere.zoo.example'];

/** The zone zoo.example on a DNS server, in which all records of these names are right. */
async function servedZone(...names: string[]): Promise<string> {
  const zones = new HostedZones();
  const { zone } = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
  const added = names.flatMap(name => {
    const { Name, Value } = validationRecord(name);
    return [
      { name: `${name}.`, type: 'CNAME' as const, ttlSeconds: 300, values: [TARGET] },
      { name: Name, type: 'CNAME' as const, ttlSeconds: 300, values: [Value] },
    ];
  });
  zones.replaceRecordSets(zone.id, [...zone.recordSets, ...added]);
  const server = await startDnsServer(zones);
  onTestFinished(server.stop);
  return server.address;
}

/** The function with one domain that is well, one that drifts and one that is not live; and what it logs. */
async function checking(news: { arnOfWell?: string } = {}) {
  const [table, resolver, acm] = await Promise.all([
    tableLike('DomainsTable'),
    servedZone(WELL, ELSEWHERE),
    serveAcm(),
  ]);
  clientsFind('ACM', acm.endpoint);
  vi.stubEnv('DOMAINS_TABLE', table);
  vi.stubEnv('DNS_RESOLVERS', resolver);
  vi.resetModules();
  const { handler } = await import('../../../functions/domains/recheck-domains.ts');
  const { domainStore } = await import('../../../shared/domains/life/domain-store.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  const store = domainStore(table);
  const arns: Record<string, string> = {};
  for (const domain of [WELL, DRIFTING, ELSEWHERE]) {
    const arn = await acm.requested(domain);
    acm.certificates.change(arn, { status: 'ISSUED' });
    arns[domain] = arn;
    const status = domain === ELSEWHERE ? 'failed' : 'live';
    const noted = domain === WELL ? (news.arnOfWell ?? arn) : arn;
    await transact([store.claim(live({ domain, status, certificate: certified({ arn: noted }) }))]);
  }
  // From then on ACM names the validation records.
  acm.nowMs += 5000;
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
  });
  const logged = () => write.mock.calls.map(([line]) => JSON.parse(String(line)));
  return { handler, store, arns, logged };
}

const DRIFT = {
  message: 'A live domain needs attention.',
  domain: DRIFTING,
  reason: 'traffic_record_missing',
};

test('every live domain is looked at, and one that needs attention says so', async () => {
  const { handler, store, logged } = await checking();
  expect(await handler({ source: 'aws.events' })).toEqual({ checked: 2 });
  expect(await store.find(WELL)).toMatchObject({
    status: 'live',
    reason: null,
    checkedAt: expect.any(String),
  });
  expect(await store.find(DRIFTING)).toMatchObject({ status: 'live', reason: DRIFT.reason });
  expect(await store.find(ELSEWHERE)).toMatchObject({ status: 'failed', checkedAt: null });
  expect(logged()).toMatchObject([DRIFT]);
});

test('when ACM has news of a certificate, the domain that has it is looked at', async () => {
  const { handler, store, arns } = await checking();
  expect(await handler({ source: 'aws.acm', resources: [arns[DRIFTING] ?? ''] })).toEqual({ checked: 1 });
  expect(await store.find(WELL)).toMatchObject({ checkedAt: null });
  expect(await store.find(DRIFTING)).toMatchObject({ reason: DRIFT.reason });
  expect(await handler({ source: 'aws.acm', resources: ['another'] })).toEqual({ checked: 0 });
});

test('a domain that cannot be looked at keeps nobody else from it, and the function fails', async () => {
  const { handler, store, logged } = await checking({ arnOfWell: 'no ARN' });
  await expect(handler({})).rejects.toThrow('Not every domain could be checked.');
  expect(await store.find(DRIFTING)).toMatchObject({ reason: DRIFT.reason });
  expect(logged()).toEqual(
    expect.arrayContaining([
      expect.objectContaining(DRIFT),
      expect.objectContaining({ message: 'A domain could not be checked.', domain: WELL }),
    ]),
  );
});
