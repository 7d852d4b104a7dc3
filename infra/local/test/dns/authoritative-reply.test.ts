import { describe, expect, test } from 'vitest';
import { EDGE_ADDRESSES } from '../../host/public-addresses.ts';
import { awsAddresses } from '../../route53/aws-names.ts';
import type { RecordSet } from '../../route53/record-set.ts';
import { served } from '../../testing/served-zones.ts';

const aliasSet = (name: string, dnsName: string, type: RecordSet['type'] = 'A'): RecordSet => ({
  name,
  type,
  values: [],
  aliasTarget: { hostedZoneId: 'Z', dnsName, evaluateTargetHealth: false },
});

describe('the name server of a zone', () => {
  test('serves records of every type', async () => {
    const { resolver } = await served({
      'example.com.': [
        ['example.com.', 'A', '192.0.2.1', '192.0.2.2'],
        ['example.com.', 'AAAA', '2001:db8::1'],
        ['example.com.', 'CAA', '0 issue "amazon.com"', '128 iodef "mailto:a@example.com"'],
        ['example.com.', 'MX', '10 mail.example.com'],
        ['example.com.', 'TXT', '"one" "two"', '"a \\"b\\" \\\\ \\101"'],
        ['www.example.com.', 'CNAME', 'Target.Example.ORG.'],
      ],
    });
    expect((await resolver.resolve4('example.com', { ttl: true })).at(0)).toEqual({
      address: '192.0.2.1',
      ttl: 300,
    });
    expect(await resolver.resolve6('EXAMPLE.com')).toEqual(['2001:db8::1']);
    expect(await resolver.resolveCaa('example.com')).toMatchObject([
      { critical: 0, issue: 'amazon.com' },
      { critical: 128, iodef: 'mailto:a@example.com' },
    ]);
    expect(await resolver.resolveMx('example.com')).toMatchObject([
      { priority: 10, exchange: 'mail.example.com' },
    ]);
    expect(await resolver.resolveTxt('example.com')).toEqual([['one', 'two'], ['a "b" \\ A']]);
    expect(await resolver.resolveCname('www.example.com')).toEqual(['target.example.org']);
    expect(await resolver.resolveSoa('example.com')).toMatchObject({
      hostmaster: 'awsdns-hostmaster.amazon.com',
      serial: 1,
      minttl: 86_400,
    });
  });

  test('answers with a change at once', async () => {
    const { askZone, setRecords } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    expect(await askZone('example.com.', 'example.com', 'A')).toMatchObject({
      flag_aa: true,
      answers: [{ data: '192.0.2.1' }],
    });
    setRecords('example.com.', []);
    expect(await askZone('example.com.', 'example.com', 'A')).toMatchObject({ answers: [] });
  });

  test.each([['example.org'], ['com'], ['notexample.com'], ['host.apps.platform.test']])(
    'refuses %s, which is outside of its zone',
    async name => {
      const { askZone } = await served({
        'example.com.': [],
        'example.org.': [],
        'apps.platform.test.': [['host.apps.platform.test.', 'A', '192.0.2.1']],
      });
      expect(await askZone('example.com.', name, 'A')).toMatchObject({
        code: 'REFUSED',
        flag_aa: false,
        answers: [],
        authorities: [],
      });
    },
  );

  test.each([
    ['none.example.com', 'NXDOMAIN'],
    ['example.com', 'NOERROR'],
    ['b.example.com', 'NOERROR'],
  ])('answers for %s with %s and the SOA of the zone', async (name, code) => {
    const { askZone } = await served({ 'example.com.': [['a.b.example.com.', 'TXT', '"x"']] });
    const response = await askZone('example.com.', name, 'A');
    expect(response).toMatchObject({ code, flag_aa: true, answers: [] });
    expect(response.authorities).toMatchObject([{ type: 'SOA', name: 'example.com', ttl: 900 }]);
  });

  test('follows a CNAME within its zone, and not out of it', async () => {
    const { askZone } = await served({
      'example.com.': [
        ['a.example.com.', 'CNAME', 'b.example.com'],
        ['b.example.com.', 'CNAME', 'c.example.org'],
        ['in.example.com.', 'CNAME', 'address.example.com'],
        ['address.example.com.', 'A', '192.0.2.1'],
        ['lost.example.com.', 'CNAME', 'none.example.com'],
        ['loop.example.com.', 'CNAME', 'loop.example.com'],
      ],
      'example.org.': [['c.example.org.', 'A', '192.0.2.2']],
    });
    const ask = (name: string) => askZone('example.com.', name, 'A');
    expect((await ask('A.example.com')).answers).toMatchObject([
      { name: 'A.example.com', type: 'CNAME', data: 'b.example.com' },
      { name: 'b.example.com', type: 'CNAME', data: 'c.example.org' },
    ]);
    expect((await ask('in.example.com')).answers).toMatchObject([{ type: 'CNAME' }, { data: '192.0.2.1' }]);
    expect(await ask('lost.example.com')).toMatchObject({ code: 'NXDOMAIN', answers: [{ type: 'CNAME' }] });
    expect(await ask('loop.example.com')).toMatchObject({ code: 'SERVFAIL' });
  });

  test('follows a wildcard for names that do not exist, at any depth', async () => {
    const { resolver } = await served({
      'example.com.': [
        ['\\052.example.com.', 'TXT', '"any"'],
        ['a.b.example.com.', 'A', '192.0.2.1'],
      ],
    });
    expect(await resolver.resolveTxt('x.example.com')).toEqual([['any']]);
    expect(await resolver.resolveTxt('x.y.example.com')).toEqual([['any']]);
    expect(await resolver.resolveTxt('*.example.com')).toEqual([['any']]);
    await expect(resolver.resolve4('x.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('a.b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('x.b.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('answers an alias with the addresses of its target', async () => {
    const { resolver, zones } = await served({ 'example.com.': [['a.example.com.', 'A', '192.0.2.1']] });
    const [zone] = zones.list();
    zones.replaceRecordSets(zone?.id ?? '', [
      ...(zone?.recordSets ?? []),
      aliasSet('example.com.', 'd-abcdef1234.execute-api.us-east-1.amazonaws.com.'),
      aliasSet('example.com.', 'd-abcdef1234.execute-api.us-east-1.amazonaws.com.', 'AAAA'),
      aliasSet('b.example.com.', 'a.example.com.'),
      aliasSet('loop.example.com.', 'loop.example.com.'),
    ]);
    const addresses = await resolver.resolve4('example.com', { ttl: true });
    expect(addresses).toEqual([{ address: EDGE_ADDRESSES.A, ttl: 60 }]);
    expect(await resolver.resolve4('b.example.com')).toEqual(['192.0.2.1']);
    // As far as this machine has IPv6.
    const six = awsAddresses('d-abcdef1234.execute-api.us-east-1.amazonaws.com.', 'AAAA');
    expect(await resolver.resolve6('example.com').catch(() => [])).toEqual(six);
    await expect(resolver.resolve6('b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveCname('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve4('loop.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });
});

describe('below a delegation', () => {
  const PARENT = [
    ['dev.example.com.', 'NS', 'ns1.dev.example.com', 'ns.example.org'],
    ['ns1.dev.example.com.', 'A', '192.0.2.53'],
    ['hidden.dev.example.com.', 'A', '192.0.2.1'],
  ] as const;

  test.each(['dev.example.com', 'hidden.dev.example.com', 'a.b.dev.example.com'])(
    'the name server refers %s to the servers of the sub-zone, with the addresses that its zone has',
    async name => {
      const { askZone } = await served({ 'example.com.': PARENT });
      const response = await askZone('example.com.', name, 'A');
      expect(response).toMatchObject({ code: 'NOERROR', flag_aa: false, answers: [] });
      expect(response.authorities).toMatchObject([
        { name: 'dev.example.com', type: 'NS', data: 'ns1.dev.example.com' },
        { name: 'dev.example.com', type: 'NS', data: 'ns.example.org' },
      ]);
      expect(response.additionals).toMatchObject([
        { name: 'ns1.dev.example.com', type: 'A', data: '192.0.2.53' },
      ]);
    },
  );

  test('the NS records of the zone itself are answered', async () => {
    const { askZone, serversOf } = await served({ 'example.com.': PARENT });
    const response = await askZone('example.com.', 'example.com', 'NS');
    expect(response).toMatchObject({ flag_aa: true, authorities: [] });
    expect(response.answers).toHaveLength(serversOf('example.com.').length);
  });
});
