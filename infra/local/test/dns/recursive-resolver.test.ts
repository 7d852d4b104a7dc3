import { describe, expect, test } from 'vitest';
import { EDGE_ADDRESSES, nameServerAddress } from '../../host/public-addresses.ts';
import { asked, type Line, portOf, served } from '../../testing/served-zones.ts';

const NEGATIVE_TTL_MS = 900_000;

describe('a recursive resolver', () => {
  test('finds the server of a zone at an address that carries its port', async () => {
    const { dns, resolver, zones } = await served({ 'example.com.': [] });
    const servers = await resolver.resolveNs('example.com');
    expect(servers).toHaveLength(4);
    const port = await dns.portOf(zones.list()[0]?.id ?? '');
    for (const server of servers) {
      expect(await resolver.resolve4(server)).toEqual([nameServerAddress(port)]);
    }
    // No zone gets this server: number 1 has the label 00.
    await expect(resolver.resolve4('ns-1.awsdns-63.com')).rejects.toMatchObject({ code: 'ENODATA' });
  });

  test('refuses a query that does not ask for recursion', async () => {
    const { dns } = await served({ 'example.com.': [['example.com.', 'A', '192.0.2.1']] });
    const response = await asked(portOf(dns.resolvers[0]), 'example.com', 'A');
    expect(response).toMatchObject({ code: 'REFUSED', answers: [] });
  });

  test('resolves names of AWS to this machine', async () => {
    const { resolver } = await served({});
    for (const name of ['abc.execute-api.us-east-1.amazonaws.com', '_x.jkddzztszm.acm-validations.aws']) {
      expect(await resolver.resolve4(name)).toEqual([EDGE_ADDRESSES.A]);
      await expect(resolver.resolveCaa(name)).rejects.toMatchObject({ code: 'ENODATA' });
    }
    const unknown = resolver.resolve4('lambda.us-east-1.amazonaws.com');
    await expect(unknown).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('finds no records at a public suffix that has zones, and no other name', async () => {
    const { resolver } = await served({ 'zoo.co.uk.': [] });
    for (const suffix of ['uk', 'co.uk']) {
      await expect(resolver.resolveCaa(suffix)).rejects.toMatchObject({ code: 'ENODATA' });
    }
    await expect(resolver.resolveNs('example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('asks the older of two zones of one name', async () => {
    const { resolver, zones, clock } = await served({ 'example.com.': [] });
    const before = await resolver.resolveNs('example.com');
    zones.add({ name: 'example.com.', callerReference: 'another' });
    clock.nowMs += 172_800_000;
    expect((await resolver.resolveNs('example.com')).sort()).toEqual(before.sort());
  });

  test('follows CNAMEs over zones, and answers with the whole chain', async () => {
    const { resolver, askResolver } = await served({
      'example.com.': [['www.example.com.', 'CNAME', 'a.example.org']],
      'example.org.': [
        ['a.example.org.', 'CNAME', 'b.example.org'],
        ['b.example.org.', 'A', '192.0.2.1'],
        ['loop.example.org.', 'CNAME', 'loop.example.org'],
        ['lost.example.org.', 'CNAME', 'none.example.org'],
      ],
    });
    expect(await resolver.resolve4('www.example.com')).toEqual(['192.0.2.1']);
    const response = await askResolver('WWW.example.com', 'A');
    expect(response).toMatchObject({ flag_aa: false, flag_ra: true });
    expect(response.answers?.map(({ name, type }) => `${name} ${type}`)).toEqual([
      'WWW.example.com CNAME',
      'a.example.org CNAME',
      'b.example.org A',
    ]);
    await expect(resolver.resolve4('lost.example.org')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve4('loop.example.org')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    expect(await resolver.resolveCname('lost.example.org')).toEqual(['none.example.org']);
  });
});

describe('a hosted zone inside of another', () => {
  const CHILD: Line = ['shop.dev.example.com.', 'A', '192.0.2.2'];

  test('is not reached without NS records in its parent', async () => {
    const { resolver } = await served({ 'example.com.': [], 'dev.example.com.': [CHILD] });
    await expect(resolver.resolve4('shop.dev.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  test('is reached by the NS records of its parent', async () => {
    const { resolver, serversOf, setRecords } = await served({
      'example.com.': [],
      'dev.example.com.': [CHILD],
    });
    setRecords('example.com.', [['dev.example.com.', 'NS', ...serversOf('dev.example.com.')]]);
    expect(await resolver.resolve4('shop.dev.example.com')).toEqual(['192.0.2.2']);
    const delegated = serversOf('dev.example.com.').map(server => server.slice(0, -1));
    expect((await resolver.resolveNs('dev.example.com')).sort()).toEqual(delegated.sort());
  });

  test('fails when the parent delegates it to servers of another zone', async () => {
    const { resolver, serversOf, setRecords } = await served({
      'example.com.': [],
      'dev.example.com.': [CHILD],
      'example.org.': [],
    });
    setRecords('example.com.', [['dev.example.com.', 'NS', ...serversOf('example.org.')]]);
    await expect(resolver.resolve4('shop.dev.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  });
});

describe('the cache of a resolver', () => {
  const A: Line = ['a.example.com.', 'A', '192.0.2.1'];
  const CHANGED: Line = ['a.example.com.', 'A', '192.0.2.9'];

  test('keeps records for their TTL, which counts down, and not from one resolver to the other', async () => {
    const { resolver, secondResolver, setRecords, clock } = await served({ 'example.com.': [A] });
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
    setRecords('example.com.', [CHANGED]);
    expect(await secondResolver.resolve4('a.example.com')).toEqual(['192.0.2.9']);
    clock.nowMs += 299_000;
    const cached = await resolver.resolve4('a.example.com', { ttl: true });
    expect(cached).toEqual([{ address: '192.0.2.1', ttl: 1 }]);
    clock.nowMs += 1000;
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.9']);
  });

  test('keeps that a type is missing for that type alone', async () => {
    const { resolver, setRecords, clock } = await served({ 'example.com.': [A] });
    await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    setRecords('example.com.', [A, ['a.example.com.', 'TXT', '"x"']]);
    await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ENODATA' });
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
    clock.nowMs += NEGATIVE_TTL_MS;
    expect(await resolver.resolveTxt('a.example.com')).toEqual([['x']]);
  });

  test('keeps that a name is missing for all types and all names below it', async () => {
    const { resolver, setRecords, clock } = await served({ 'example.com.': [] });
    await expect(resolver.resolveTxt('a.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    setRecords('example.com.', [A, ['b.a.example.com.', 'A', '192.0.2.2']]);
    await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(resolver.resolve4('b.a.example.com')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    clock.nowMs += NEGATIVE_TTL_MS;
    expect(await resolver.resolve4('b.a.example.com')).toEqual(['192.0.2.2']);
  });

  test('multiplies TTLs by the scale of waits', async () => {
    const { resolver, setRecords, clock } = await served({ 'example.com.': [A] }, 0.01);
    const answered = await resolver.resolve4('a.example.com', { ttl: true });
    expect(answered).toEqual([{ address: '192.0.2.1', ttl: 300 }]);
    setRecords('example.com.', [CHANGED]);
    clock.nowMs += 2999;
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
    clock.nowMs += 1;
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.9']);
  });

  test('answers while the name server fails, and does not keep a failure', async () => {
    const { dns, resolver, clock } = await served({ 'example.com.': [A] });
    await resolver.resolve4('a.example.com');
    dns.faults.setZone('example.com', 'SERVFAIL');
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
    clock.nowMs += 300_000;
    await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    dns.faults.clear('example.com');
    expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
  });
});
