import { expect, test } from 'vitest';
import { clientOf, served } from '../../testing/served-zones.ts';

const ZONES = {
  'example.com.': [
    ['a.example.com.', 'A', '192.0.2.1'],
    ['b.example.com.', 'CNAME', 'a.example.com'],
  ],
} as const;

test('a fault of a name makes it fail by SERVFAIL or silence until it is cleared', async () => {
  const { resolver, dns } = await served(ZONES);
  dns.faults.set('A.example.com', 'SERVFAIL');
  await expect(resolver.resolve4('a.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  await expect(resolver.resolve4('b.example.com')).rejects.toMatchObject({ code: 'ESERVFAIL' });
  expect(await resolver.resolveCname('b.example.com')).toEqual(['a.example.com']);
  dns.faults.set('a.example.com', 'silence');
  const silent = clientOf(dns.resolvers[0].address, 500).resolve4('a.example.com');
  await expect(silent).rejects.toMatchObject({ code: 'ETIMEOUT' });
  dns.faults.clear('a.example.com');
  expect(await resolver.resolve4('a.example.com')).toEqual(['192.0.2.1']);
});

test('a lame server refuses its own zone, which resolvers answer with SERVFAIL', async () => {
  const { askZone, askResolver, dns } = await served(ZONES);
  dns.faults.setZone('example.com', 'REFUSED');
  expect(await askZone('example.com.', 'a.example.com', 'A')).toMatchObject({ code: 'REFUSED' });
  expect(await askResolver('a.example.com', 'A')).toMatchObject({ code: 'SERVFAIL' });
});

test('a server that truncates has to be asked over TCP', async () => {
  const { askZone, dns, zones } = await served(ZONES);
  dns.faults.setZone('example.com', 'truncation');
  const truncated = await askZone('example.com.', 'a.example.com', 'A');
  expect(truncated).toMatchObject({ flag_tc: true, answers: [] });
  const client = clientOf(`127.0.0.1:${await dns.portOf(zones.list()[0]?.id ?? '')}`);
  expect(await client.resolve4('a.example.com')).toEqual(['192.0.2.1']);
});
