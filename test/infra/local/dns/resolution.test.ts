import { describe, expect, test } from 'vitest';
import type { RecordSet } from '../../../../infra/local/route53/record-set.ts';
import { asked, portOf, RESPONSE_CODE, served } from './served-zones.ts';

const aliasSet = (name: string, dnsName: string, type: RecordSet['type'] = 'A'): RecordSet => ({
  name,
  type,
  values: [],
  aliasTarget: { hostedZoneId: 'Z', dnsName, evaluateTargetHealth: false },
});

describe('records', () => {
  test('are served for every type', async () => {
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
    const servers = await resolver.resolveNs('example.com');
    expect(servers).toHaveLength(4);
    expect(await resolver.resolve4(servers[3] ?? '')).toEqual(['127.0.0.1']);
  });

  test('are served as soon as they change', async () => {
    const { resolver, zones } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
    const [zone] = zones.list();
    const without = zone?.recordSets.filter(({ type }) => type !== 'A') ?? [];
    zones.replaceRecordSets(zone?.id ?? '', without);
    await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  test('come from the closest zone, and from the older of two zones of one name', async () => {
    const { resolver, zones } = await served({
      'example.com.': [['a.b.example.com.', 'A', '192.0.2.1']],
      'b.example.com.': [['a.b.example.com.', 'A', '192.0.2.2']],
    });
    expect(await resolver.resolve4('a.b.example.com')).toEqual(['192.0.2.2']);
    const before = await resolver.resolveNs('example.com');
    zones.add({ name: 'example.com.', callerReference: 'another' });
    expect((await resolver.resolveNs('example.com')).sort()).toEqual(before.sort());
  });
});

describe('a negative answer', () => {
  test('is NXDOMAIN for a missing name, NODATA for a missing type or an empty non-terminal', async () => {
    const { resolver } = await served({ 'example.com.': [['a.b.example.com.', 'A', '192.0.2.1']] });
    await expect(resolver.resolve4('none.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve6('a.b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve4('b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveSrv('a.b.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolve4('example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test.each([
    ['none.example.com', 3],
    ['example.com', 0],
  ])('contains the SOA of the zone: %s', async (name, code) => {
    const { server } = await served({ 'example.com.': [] });
    const { answers, authorities, flags = 0, flag_aa } = await asked(portOf(server), name, 'A');
    expect(flags & RESPONSE_CODE).toBe(code);
    expect(flag_aa).toBe(true);
    expect(answers).toEqual([]);
    expect(authorities).toMatchObject([{ type: 'SOA', name: 'example.com', ttl: 900 }]);
  });
});

describe('a CNAME', () => {
  const ZONES = {
    'example.com.': [['www.example.com.', 'CNAME', 'a.example.org']],
    'example.org.': [
      ['a.example.org.', 'CNAME', 'b.example.org'],
      ['b.example.org.', 'A', '192.0.2.1'],
      ['loop.example.org.', 'CNAME', 'loop.example.org'],
      ['lost.example.org.', 'CNAME', 'none.example.org'],
    ],
  } as const;

  test('is followed for recursive queries only', async () => {
    const { resolver, server } = await served(ZONES);
    expect(await resolver.resolve4('www.example.com')).toEqual(['192.0.2.1']);
    const recursive = await asked(portOf(server), 'WWW.example.com', 'A', 1 << 8);
    expect(recursive.answers?.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'WWW.example.com CNAME',
      'a.example.org CNAME',
      'b.example.org A',
    ]);
    const authoritative = await asked(portOf(server), 'www.example.com', 'A');
    expect(authoritative.answers).toMatchObject([{ type: 'CNAME', data: 'a.example.org' }]);
  });

  test('without a target is NXDOMAIN, in a loop SERVFAIL', async () => {
    const { resolver } = await served(ZONES);
    await expect(resolver.resolve4('lost.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve4('loop.example.org')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(await resolver.resolveCname('lost.example.org')).toEqual(['none.example.org']);
  });
});

test('a wildcard matches names that do not exist, at any depth', async () => {
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

test('an alias resolves to the addresses of its target', async () => {
  const { resolver, zones } = await served({ 'example.com.': [['a.example.com.', 'A', '192.0.2.1']] });
  const [zone] = zones.list();
  zones.replaceRecordSets(zone?.id ?? '', [
    ...(zone?.recordSets ?? []),
    aliasSet('example.com.', 'd-abcdef1234.execute-api.us-east-1.amazonaws.com.'),
    aliasSet('example.com.', 'd-abcdef1234.execute-api.us-east-1.amazonaws.com.', 'AAAA'),
    aliasSet('b.example.com.', 'a.example.com.'),
    aliasSet('loop.example.com.', 'loop.example.com.'),
  ]);
  expect(await resolver.resolve4('example.com', { ttl: true })).toEqual([{ address: '127.0.0.1', ttl: 60 }]);
  expect(await resolver.resolve4('b.example.com')).toEqual(['192.0.2.1']);
  await expect(resolver.resolve6('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolveCname('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(resolver.resolve4('loop.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

test('names of AWS resolve to this machine', async () => {
  const { resolver } = await served({});
  for (const name of ['abc.execute-api.us-east-1.amazonaws.com', '_x.jkddzztszm.acm-validations.aws']) {
    expect(await resolver.resolve4(name)).toEqual(['127.0.0.1']);
    await expect(resolver.resolveCaa(name)).rejects.toMatchObject({ code: 'ENODATA' });
  }
  await expect(resolver.resolve4('lambda.us-east-1.amazonaws.com')).rejects.toMatchObject({
    code: 'ENOTFOUND',
  });
});
