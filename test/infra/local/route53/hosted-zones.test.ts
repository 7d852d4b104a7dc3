import { join } from 'node:path';
import { expect, test } from 'vitest';
import { LocalRuntimeError } from '../../../../infra/local/host/local-runtime-error.ts';
import { nameServers } from '../../../../infra/local/route53/aws-names.ts';
import { HostedZones } from '../../../../infra/local/route53/hosted-zones.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { declared } from './declared.ts';
import { changeOf, servedRoute53 } from './served-route53.ts';

const zoneFixture = (Name: string) => ({ Type: 'AWS::Route53::HostedZone', Properties: { Name } });

test('keeps zones, records and changes over a restart', async () => {
  const file = join(temporaryFolder(), 'route53.json');
  const { created, change, clock } = await servedRoute53({ file });
  const id = await created('example.com');
  const { ChangeInfo } = await change(id, changeOf('CREATE', 'A', 'example.com', '192.0.2.1'));
  const again = new HostedZones({ file, now: () => clock.nowMs });
  expect(again.find(id)?.recordSets.map(({ type }) => type)).toEqual(['NS', 'SOA', 'A']);
  const kept = again.findChange(ChangeInfo?.Id?.replace('/change/', '') ?? '');
  expect(kept && again.statusOf(kept)).toBe('PENDING');
});

test('gives a declared zone the same id and name servers at each start and keeps its records', () => {
  const zones = new HostedZones();
  const { deploy, outputs } = declared({ Zone: zoneFixture('platform.example.net') });
  deploy(zones);
  const [zone] = zones.list();
  expect(zone).toMatchObject({ id: expect.stringMatching(/^Z[A-Z0-9]{20}$/), name: 'platform.example.net.' });
  expect(outputs).toEqual({
    Ref: zone?.id,
    Id: zone?.id,
    NameServers: zone?.recordSets[0]?.values.map(server => server.slice(0, -1)).join(' '),
    Second: zone?.recordSets[0]?.values[1]?.slice(0, -1),
  });
  const text = { name: 'platform.example.net.', type: 'TXT' as const, ttlSeconds: 1, values: ['"x"'] };
  zones.replaceRecordSets(zone?.id ?? '', [...(zone?.recordSets ?? []), text]);
  declared({ Zone: zoneFixture('platform.example.net') }).deploy(zones);
  expect(zones.list()).toHaveLength(1);
  expect(zones.list()[0]?.recordSets).toHaveLength(3);
});

test('gives a zone of another name another id', () => {
  const zones = new HostedZones();
  declared({ Zone: zoneFixture('one.example.net') }).deploy(zones);
  declared({ Zone: zoneFixture('two.example.net') }).deploy(zones);
  expect(zones.list().map(({ name }) => name)).toEqual(['one.example.net.', 'two.example.net.']);
});

test('refuses by name a property of a zone that is not supported, and an invalid name', () => {
  const fixture = zoneFixture('a.example.net');
  const withVpc = { ...fixture, Properties: { ...fixture.Properties, VPCs: [] } };
  expect(() => declared({ Zone: withVpc })).toThrow(
    new LocalRuntimeError(
      'Zoo, Zone (AWS::Route53::HostedZone): the property VPCs is not supported by the local runtime',
    ),
  );
  expect(() => declared({ Zone: zoneFixture('a b') }).deploy(new HostedZones())).toThrow(
    'a b is not a domain name',
  );
});

test('no two zones have a name server in common', () => {
  const zones = new HostedZones();
  for (let number = 1; number <= 100; number += 1) {
    zones.add({ name: `zoo-${number}.example.`, callerReference: String(number) });
  }
  const servers = zones.list().flatMap(({ id }) => nameServers(id));
  expect(new Set(servers).size).toBe(400);
});
