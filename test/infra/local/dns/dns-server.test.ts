import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode, encode, type RecordType as QueryType, streamDecode, streamEncode } from 'dns-packet';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startDnsServer } from '../../../../infra/local/dns/dns-server.ts';
import { LocalRuntimeError } from '../../../../infra/local/local-runtime-error.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import type { RecordSet } from '../../../../infra/local/route53/record-set.ts';

type Line = readonly [name: string, type: RecordSet['type'], ...values: string[]];

/** A DNS server of zones with records (TTL 300), and a resolver that asks it. */
async function served(zonesByName: Readonly<Record<string, readonly Line[]>>) {
  const zones = new HostedZones();
  for (const [name, lines] of Object.entries(zonesByName)) {
    const { zone } = zones.add({ name, callerReference: name });
    const added = lines.map(([owner, type, ...values]) => ({ name: owner, type, ttlSeconds: 300, values }));
    zones.replaceRecordSets(zone.id, [...zone.recordSets, ...added]);
  }
  const server = await startDnsServer(zones);
  onTestFinished(server.stop);
  const resolver = new promises.Resolver({ timeout: 500, tries: 1 });
  resolver.setServers([server.address]);
  return { zones, server, resolver };
}

const portOf = ({ address }: { address: string }) => Number(address.split(':')[1]);

/** Asks over UDP with exactly these flags. */
async function asked(port: number, name: string, type: QueryType, flags = 0) {
  const socket = createSocket('udp4');
  socket.send(encode({ type: 'query', id: 7, flags, questions: [{ name, type }] }), port, '127.0.0.1');
  const [message] = await once(socket, 'message');
  socket.close();
  return decode(message);
}

const RESPONSE_CODE = 0xf;

const aliasSet = (name: string, dnsName: string, type: RecordSet['type'] = 'A'): RecordSet => ({
  name,
  type,
  values: [],
  aliasTarget: { hostedZoneId: 'Z', dnsName, evaluateTargetHealth: false },
});

describe('records', () => {
  test('of every type', async () => {
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

  test('a change is answered at once', async () => {
    const { resolver, zones } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
    const [zone] = zones.list();
    const without = zone?.recordSets.filter(({ type }) => type !== 'A') ?? [];
    zones.replaceRecordSets(zone?.id ?? '', without);
    await expect(resolver.resolve4('example.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  test('the zone closest to a name answers; of two of one name, the older', async () => {
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

describe('what is not there', () => {
  test('NXDOMAIN for a name, NODATA for a type, also where only names below exist', async () => {
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
  ])('comes with the SOA of the zone: %s', async (name, code) => {
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

  test('is followed for a resolver, and only for one', async () => {
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

  test('that leads nowhere is NXDOMAIN, that leads to itself SERVFAIL', async () => {
    const { resolver } = await served(ZONES);
    await expect(resolver.resolve4('lost.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve4('loop.example.org')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(await resolver.resolveCname('lost.example.org')).toEqual(['none.example.org']);
  });
});

test('a wildcard stands for what does not exist, at any depth', async () => {
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

test('an alias has the addresses of its target', async () => {
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

test('names of AWS’s own are on this machine', async () => {
  const { resolver } = await served({});
  for (const name of ['abc.execute-api.us-east-1.amazonaws.com', '_x.jkddzztszm.acm-validations.aws']) {
    expect(await resolver.resolve4(name)).toEqual(['127.0.0.1']);
    await expect(resolver.resolveCaa(name)).rejects.toMatchObject({ code: 'ENODATA' });
  }
  await expect(resolver.resolve4('lambda.us-east-1.amazonaws.com')).rejects.toMatchObject({
    code: 'ENOTFOUND',
  });
});

describe('a message', () => {
  const texts = Array.from({ length: 20 }, (_, index) => `"${'x'.repeat(200)}${index}"`);
  const LONG = { 'example.com.': [['example.com.', 'TXT', ...texts]] } as const;

  test('too long for UDP is truncated, and whole over TCP', async () => {
    const { resolver, server } = await served(LONG);
    const truncated = await asked(portOf(server), 'example.com', 'TXT');
    expect(truncated).toMatchObject({ flag_tc: true, answers: [] });
    expect(await resolver.resolveTxt('example.com')).toHaveLength(texts.length);
  });

  test('over TCP may come in pieces, and another after it', async () => {
    const { server } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const socket = connect(portOf(server), '127.0.0.1').setNoDelay();
    const query = streamEncode({ type: 'query', id: 7, questions: [{ name: 'example.com', type: 'A' }] });
    for (const piece of [query.subarray(0, 1), query.subarray(1, 9)]) {
      await new Promise<unknown>(resolve => socket.write(piece, resolve));
    }
    socket.write(Buffer.concat([query.subarray(9), query]));
    let received = Buffer.alloc(0);
    for await (const chunk of socket) {
      received = Buffer.concat([received, chunk]);
      if (received.length >= 2 * (received.readUInt16BE() + 2)) break;
    }
    const end = received.readUInt16BE() + 2;
    for (const message of [received.subarray(0, end), received.subarray(end)]) {
      expect(streamDecode(message).answers).toMatchObject([{ data: '192.0.2.1' }]);
    }
  });

  test('that is none is ignored, one of another kind is NOTIMP, and the server goes on', async () => {
    const { server, resolver } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const socket = createSocket('udp4');
    onTestFinished(() => {
      socket.close();
    });
    socket.send(Buffer.from('nonsense'), portOf(server), '127.0.0.1');
    const update = 5 << 11;
    const { flags = 0 } = await asked(portOf(server), 'example.com', 'A', update);
    expect(flags & RESPONSE_CODE).toBe(4);
    expect(await resolver.resolve4('example.com')).toEqual(['192.0.2.1']);
  });
});

test('faults: SERVFAIL and silence of a name, until they are cleared', async () => {
  const { resolver, server } = await served({
    'example.com.': [
      ['a.example.com.', 'A', '192.0.2.1'],
      ['b.example.com.', 'CNAME', 'a.example.com'],
    ],
  });
  server.faults.set('A.example.com', 'SERVFAIL');
  await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolve4('b.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(await resolver.resolveCname('b.example.com')).toEqual(['a.example.com']);
  server.faults.set('a.example.com', 'silence');
  await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  server.faults.clear('a.example.com');
  expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
});

test('a port in use is refused', async () => {
  const { server, zones } = await served({});
  await expect(startDnsServer(zones, portOf(server))).rejects.toThrow(
    new LocalRuntimeError(`Port ${portOf(server)} cannot be used for DNS (EADDRINUSE): choose another.`),
  );
});
