import { expect, test } from 'vitest';
import { type CaaRecord, caaDecision, lookupAt } from '../../acm/dns-validation.ts';
import { publicDns } from '../../dns/public-dns.ts';
import { awsAddresses } from '../../route53/aws-names.ts';
import { HostedZones } from '../../route53/hosted-zones.ts';
import { surroundings } from '../../surroundings.ts';
import { FakeLookup, issue } from '../../testing/served-acm.ts';

const decide = (records: Readonly<Record<string, readonly CaaRecord[]>>, name = 'www.zoo.example') => {
  const lookup = new FakeLookup();
  for (const [owner, set] of Object.entries(records)) lookup.caas.set(owner, set);
  return caaDecision(name, lookup);
};

test('allowed: no records up to the root', async () => {
  expect(await decide({})).toBe('allowed');
});

test.each(['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com', ' Amazon.com ; account=1'])(
  'allowed: issue %s',
  async value => {
    expect(await decide({ 'zoo.example': [issue('other.example'), issue(value)] })).toBe('allowed');
  },
);

test.each([';', 'other.example', 'amazon.com.example', ''])('forbidden: issue %s', async value => {
  expect(await decide({ 'zoo.example': [issue(value)] })).toBe('forbidden');
});

test('forbidden: issue in capitals counts as issue', async () => {
  expect(await decide({ 'zoo.example': [{ ...issue('other.example'), tag: 'ISSUE' }] })).toBe('forbidden');
});

test('the nearest set of records decides', async () => {
  const far = [issue('other.example')];
  expect(await decide({ 'www.zoo.example': [issue('amazon.com')], 'zoo.example': far })).toBe('allowed');
  expect(await decide({ 'www.zoo.example': far, 'zoo.example': [issue('amazon.com')] })).toBe('forbidden');
});

test('allowed: a set with iodef only does not restrict', async () => {
  const iodef = { flags: 0, tag: 'iodef', value: 'mailto:keeper@zoo.example' };
  expect(await decide({ 'zoo.example': [iodef] })).toBe('allowed');
});

test('forbidden: an unknown critical tag; allowed: an unknown tag that is not critical', async () => {
  const unknown = { flags: 128, tag: 'tbs', value: 'Unknown' };
  expect(await decide({ 'zoo.example': [issue('amazon.com'), unknown] })).toBe('forbidden');
  expect(await decide({ 'zoo.example': [issue('amazon.com'), { ...unknown, flags: 0 }] })).toBe('allowed');
});

test('issuewild replaces issue for wildcards and has no effect on other names', async () => {
  const records = {
    'zoo.example': [issue('amazon.com'), { flags: 0, tag: 'issuewild', value: 'other.example' }],
  };
  expect(await decide(records, '*.zoo.example')).toBe('forbidden');
  expect(await decide(records, 'zoo.example')).toBe('allowed');
  expect(await decide({ 'zoo.example': [issue('amazon.com')] }, '*.zoo.example')).toBe('allowed');
});

test('unknown: a lookup that fails, at the name or any parent', async () => {
  const lookup = new FakeLookup();
  lookup.failing.add('zoo.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('unknown');
});

test('follows aliases at the name, then asks the parents of the name itself', async () => {
  const lookup = new FakeLookup();
  lookup.cnames.set('www.zoo.example', 'host.other.example');
  lookup.caas.set('host.other.example', [issue('other.example')]);
  expect(await caaDecision('www.zoo.example', lookup)).toBe('forbidden');
  lookup.caas.delete('host.other.example');
  expect(await caaDecision('www.zoo.example', lookup)).toBe('allowed');
  expect(lookup.questions).toContain('CAA zoo.example');
  expect(lookup.questions).not.toContain('CAA other.example');
});

function lookedUp() {
  const zones = new HostedZones();
  const zone = zones.add({ name: 'zoo.example.', callerReference: 'zoo' });
  const records = [
    { name: '_a.zoo.example.', type: 'CNAME', values: ['_b.acm-validations.aws.'] },
    { name: 'zoo.example.', type: 'CAA', values: ['0 issue "amazon.com"', '128 tbs "Unknown"'] },
  ] as const;
  zones.replaceRecordSets(zone.id, [
    ...zone.recordSets,
    ...records.map(({ name, type, values }) => ({ name, type, ttlSeconds: 300, values: [...values] })),
  ]);
  const dns = publicDns(zones, awsAddresses, surroundings());
  return { lookup: lookupAt(dns.resolvers[0]), faults: dns.faults };
}

test('RECORDS: the values of the records', async () => {
  const { lookup } = lookedUp();
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
  const { lookup } = lookedUp();
  expect(await lookup.caa('example')).toEqual({ outcome: 'NODATA' });
  expect(await lookup.cname('zoo.example')).toEqual({ outcome: 'NODATA' });
});

test('NXDOMAIN: no such name in a zone, and no such zone', async () => {
  const { lookup } = lookedUp();
  expect(await lookup.cname('lion.zoo.example')).toEqual({ outcome: 'NXDOMAIN' });
  expect(await lookup.caa('example.net')).toEqual({ outcome: 'NXDOMAIN' });
});

test('SERVFAIL: a server that fails, refuses its zone or does not answer', async () => {
  const { lookup, faults } = lookedUp();
  faults.set('zoo.example', 'SERVFAIL');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
  faults.set('zoo.example', 'REFUSED');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
  faults.set('zoo.example', 'silence');
  expect(await lookup.caa('zoo.example')).toEqual({ outcome: 'SERVFAIL' });
});
