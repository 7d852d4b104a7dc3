import { expect, onTestFinished, test } from 'vitest';
import { dnsLookup } from '../../../../infra/local/acm/lookup.ts';
import { startPublicDns } from '../../../../infra/local/dns/public-dns.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';

async function lookedUp() {
  const zones = new HostedZones();
  const { zone } = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
  const records = [
    { name: '_a.zoo.example.', type: 'CNAME', values: ['_b.acm-validations.aws.'] },
    { name: 'zoo.example.', type: 'CAA', values: ['0 issue "amazon.com"', '128 tbs "Unknown"'] },
  ] as const;
  zones.replaceRecordSets(zone.id, [
    ...zone.recordSets,
    ...records.map(({ name, type, values }) => ({ name, type, ttlSeconds: 300, values: [...values] })),
  ]);
  const dns = await startPublicDns(zones);
  onTestFinished(dns.stop);
  return { lookup: dnsLookup(dns.resolvers[0].address), faults: dns.faults };
}

test('RECORDS: the values of the records', async () => {
  const { lookup } = await lookedUp();
  expect(await lookup.cname('_a.zoo.example')).toEqual({
    outcome: 'RECORDS',
    records: ['_b.acm-validations.aws'],
  });
  expect(await lookup.caa('zoo.example')).toEqual({
    outcome: 'RECORDS',
    records: [
      { flags: 0, tag: 'issue', value: 'amazon.com' },
      { flags: 128, tag: 'tbs', value: 'Unknown' },
    ],
  });
});

test('NODATA: a name without such a record, and a public suffix', async () => {
  const { lookup } = await lookedUp();
  expect(await lookup.caa('example')).toEqual({ outcome: 'NODATA' });
  expect(await lookup.cname('zoo.example')).toEqual({ outcome: 'NODATA' });
});

test('NXDOMAIN: no such name in a zone, and no such zone', async () => {
  const { lookup } = await lookedUp();
  expect(await lookup.cname('lion.zoo.example')).toEqual({ outcome: 'NXDOMAIN' });
  expect(await lookup.caa('example.net')).toEqual({ outcome: 'NXDOMAIN' });
});

test('SERVFAIL: a server that fails, refuses its zone or does not answer', async () => {
  const { lookup, faults } = await lookedUp();
  faults.set('zoo.example', 'SERVFAIL');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
  faults.set('zoo.example', 'REFUSED');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
  faults.set('zoo.example', 'silence');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
});
