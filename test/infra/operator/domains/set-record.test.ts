import { expect, test, vi } from 'vitest';
import { HostedZones } from '../../../../infra/operator/domains/hosted-zones.ts';
import {
  addFixes,
  applyRecords,
  recordsInTheWay,
  setRecord,
} from '../../../../infra/operator/domains/set-record.ts';
import { STATES } from '../../dashboard/shown-domains.ts';
import { TRAFFIC } from './domain-fixture.ts';
import { startLocalMachine } from './local-machine.ts';

async function machine() {
  const local = await startLocalMachine();
  const zones = await HostedZones.of(local.target);
  const set = (name: string, type: 'A' | 'AAAA' | 'ALIAS' | 'CNAME', ...values: string[]) =>
    setRecord(zones, { name, type, ttl: 60, values });
  return { ...local, set };
}

const API = 'a1b2.execute-api.us-east-1.amazonaws.com';

test('creates the zone of the registrable domain once, and sets a record in the closest zone', async () => {
  const { set, zones, records } = await machine();
  expect(await set('a.b.example.com', 'A', '192.0.2.1')).toMatchObject({
    zone: { name: 'example.com' },
    isNewZone: true,
  });
  zones.add({ name: 'sub.example.com.', callerReference: 'sub' });
  expect(await set('x.sub.example.com', 'A', '192.0.2.2')).toMatchObject({
    zone: { name: 'sub.example.com' },
    isNewZone: false,
  });
  await set('a.b.example.com', 'A', '192.0.2.3');
  expect(records()).toEqual(['a.b.example.com. A 192.0.2.3', 'x.sub.example.com. A 192.0.2.2']);
});

test('lets resolvers keep for a minute only that a record of a new zone is missing', async () => {
  const { set, zones } = await machine();
  await set('www.example.com', 'A', '192.0.2.1');
  const soa = zones.list()[0]?.recordSets.find(({ type }) => type === 'SOA');
  expect(soa).toMatchObject({ ttlSeconds: 60, values: [expect.stringMatching(/^ns-\S+\. .* 60$/)] });
});

test('makes an ALIAS of an API on AWS an alias record, also through CNAMEs of the platform zone', async () => {
  const { set, records } = await machine();
  await set('1f0c.apps.petstore.example', 'CNAME', API);
  await set('example.com', 'ALIAS', '1f0c.apps.petstore.example');
  await set('example.net', 'ALIAS', API);
  expect(records().slice(1)).toEqual([
    `example.com. A alias ${API}.`,
    `_alias.example.com. TXT "1f0c.apps.petstore.example" "${API}"`,
    `example.net. A alias ${API}.`,
    `_alias.example.net. TXT "${API}" "${API}"`,
  ]);
});

test('gives an ALIAS of another host the present addresses of that host', async () => {
  const { set, records } = await machine();
  await set('host.example.org', 'A', '192.0.2.1', '192.0.2.2');
  await set('www.example.org', 'CNAME', 'host.example.org');
  await set('example.com', 'ALIAS', 'www.example.org');
  expect(records()).toContain('example.com. A 192.0.2.1 192.0.2.2');
});

test('refuses impossible records before it creates a zone', async () => {
  const { set, zones } = await machine();
  await expect(set('example.com', 'ALIAS', 'nowhere.example.net')).rejects.toThrow('has no IP address');
  await expect(set('example.com', 'CNAME', 'www.example.net')).rejects.toThrow(
    "isn't allowed at example.com",
  );
  await expect(set('co.uk', 'A', '192.0.2.1')).rejects.toThrow("isn't under a domain that can be registered");
  expect(zones.list()).toEqual([]);
});

test('advises dns delete when another record is in conflict', async () => {
  const { set } = await machine();
  await set('www.example.com', 'A', '192.0.2.1');
  await expect(set('www.example.com', 'CNAME', 'www.example.net')).rejects.toMatchObject({
    message: expect.stringContaining('conflicts with other records'),
    advice: [expect.stringContaining('dns list'), expect.stringContaining('dns delete')],
  });
});

test('names the records that others would replace, or that cannot stand beside them', async () => {
  const { set, target } = await machine();
  const zones = await HostedZones.of(target);
  await set('host.example.org', 'A', '192.0.2.9');
  await set('example.com', 'A', '192.0.2.1');
  const apex = { ...TRAFFIC, name: 'example.com', type: 'ALIAS', value: 'host.example.org' } as const;
  const inTheWay = async () => (await recordsInTheWay(zones, [apex])).map(({ text }) => text);
  expect(await inTheWay()).toEqual(['A example.com 192.0.2.1']);
  await set('example.com', 'ALIAS', 'host.example.org');
  expect(await inTheWay()).toEqual([]);
  await set('example.com', 'ALIAS', API);
  expect(await inTheWay()).toEqual([`ALIAS example.com ${API}`]);
});

test('a record takes the place of others at once: nobody who asks meanwhile finds nothing', async () => {
  const { set, target, records: stored } = await machine();
  const zones = await HostedZones.of(target);
  await set('www.example.com', 'A', '192.0.2.1');
  await set('www.example.com', 'AAAA', '2001:db8::1');
  const change = vi.spyOn(zones, 'change');
  const records = [
    { ...TRAFFIC, name: 'www.example.com', type: 'CNAME', value: 'host.example.org' },
  ] as const;
  await applyRecords(zones, records, await recordsInTheWay(zones, records));
  expect(change).toHaveBeenCalledOnce();
  expect(stored()).toEqual(['www.example.com. CNAME host.example.org']);
});

test('a CAA record that lets Amazon issue the certificate is added beside those that are there, once', async () => {
  const { set, target, records } = await machine();
  const zones = await HostedZones.of(target);
  await set('www.example.com', 'A', '192.0.2.1');
  const caa = { name: 'example.com', type: 'CAA', ttl: 60, values: ['0 issue "letsencrypt.org"'] } as const;
  await setRecord(zones, caa);
  for (const _ of ['once', 'again']) {
    expect(await addFixes(zones, STATES['caa-blocked'])).toEqual(['CAA example.com']);
  }
  expect(records()).toContain('example.com. CAA 0 issue "letsencrypt.org" 0 issue "amazon.com"');
});
