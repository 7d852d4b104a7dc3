import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readCloudAssembly } from '../../cloudformation/cloud-assembly.ts';
import { resolveStack } from '../../cloudformation/stack.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { RESOURCE_TYPES } from '../../resource-types.ts';
import { nameServers } from '../../route53/aws-names.ts';
import { declaredHostedZones, deployHostedZones, HostedZones } from '../../route53/hosted-zones.ts';
import { changeOf, servedRoute53 } from '../../testing/served-route53.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { writeCloudAssembly } from '../cloud-assembly-fixture.ts';

/** A stack whose resource Zone is a hosted zone, and what refers to that. */
function declared(Resources: Readonly<Record<string, unknown>>) {
  const NameServers = { 'Fn::GetAtt': ['Zone', 'NameServers'] };
  const Outputs = {
    Ref: { Value: { Ref: 'Zone' } },
    Id: { Value: { 'Fn::GetAtt': ['Zone', 'Id'] } },
    NameServers: { Value: { 'Fn::Join': [' ', NameServers] } },
    Second: { Value: { 'Fn::Select': [1, NameServers] } },
  };
  const { stacks } = readCloudAssembly(
    writeCloudAssembly(temporaryFolder(), { Zoo: { Resources, Outputs } }),
  );
  const resolved = stacks.map(stack => resolveStack(stack, RESOURCE_TYPES));
  return {
    outputs: resolved[0]?.outputs,
    deploy: (zones: HostedZones) =>
      deployHostedZones(zones, declaredHostedZones(resolved.flatMap(({ resources }) => resources))),
  };
}

const zoneFixture = (Name: string) => ({ Type: 'AWS::Route53::HostedZone', Properties: { Name } });

test('keeps zones and records over a restart', async () => {
  const file = join(temporaryFolder(), 'route53.json');
  const { created, change } = await servedRoute53({ file });
  const id = await created('example.com');
  await change(id, changeOf('CREATE', 'A', 'example.com', '192.0.2.1'));
  expect(new HostedZones({ file }).find(id)?.recordSets.map(({ type }) => type)).toEqual(['NS', 'SOA', 'A']);
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
    new LocalAwsError(
      'Zoo, Zone (AWS::Route53::HostedZone): the property VPCs is not supported by the local AWS',
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
