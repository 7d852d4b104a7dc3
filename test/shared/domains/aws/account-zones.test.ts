import { DeleteHostedZoneCommand } from '@aws-sdk/client-route-53';
import { expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/testing/public-addresses.ts';
import { changeOf, servedRoute53 } from '../../../../infra/local/testing/served-route53.ts';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import type { ManagedRecord } from '../../../../shared/domains/life/domain.ts';
import { TARGET } from '../claimed-domain.ts';
import { stubEndpoint } from './client-endpoint.ts';

/** The local Route 53 with the zone zoo.example, which is on the allow-list, and farm.example, which is not. */
async function servedZones() {
  const route53 = await servedRoute53({ waitScale: 0 });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created('zoo.example');
  await route53.created('farm.example');
  const records = () =>
    (route53.zones.find(zoneId)?.recordSets ?? []).filter(({ type }) => type !== 'NS' && type !== 'SOA');
  return { route53, zoneId, records, ...accountZones([zoneId]) };
}

const CNAME = {
  type: 'CNAME',
  name: 'www.zoo.example',
  value: TARGET,
  ttl: 3600,
  aliasZoneId: null,
} as const;

test('list returns the zones of the allow-list with their name servers', async () => {
  const { zoneId, list } = await servedZones();
  expect(await list()).toEqual([
    { id: zoneId, name: 'zoo.example', isPrivate: false, nameServers: nameServers(zoneId) },
  ]);
});

test('list leaves out a zone that was deleted, and remove succeeds', async () => {
  const { route53, zoneId, list, remove } = await servedZones();
  await route53.client.send(new DeleteHostedZoneCommand({ Id: zoneId }));
  expect(await list()).toEqual([]);
  await remove({ ...CNAME, zoneId });
});

const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

const ALIAS_ZONE = 'Z1UJRXOUMOOFQ8';
const ALIAS = {
  ...CNAME,
  type: 'A',
  name: 'zoo.example',
  value: HOST,
  ttl: 0,
  aliasZoneId: ALIAS_ZONE,
} as const;
const aliasTarget = { dnsName: `${HOST}.`, hostedZoneId: ALIAS_ZONE, evaluateTargetHealth: false };

test.each<[type: string, Omit<ManagedRecord, 'zoneId'>, created: object[]]>([
  ['CNAME', CNAME, [{ type: 'CNAME', ttlSeconds: 3600, values: [TARGET] }]],
  [
    'TXT',
    { ...CNAME, type: 'TXT', name: '_petstore-challenge.zoo.example', value: 'petstore-1' },
    [{ type: 'TXT', ttlSeconds: 3600, values: ['"petstore-1"'] }],
  ],
  ['A, an alias', ALIAS, ['A', 'AAAA'].map(type => ({ type, aliasTarget }))],
])(
  'a record of the type %s is created once and deleted once, however often that is asked for',
  async (_, withoutZone, created) => {
    const { zoneId, records, create, remove } = await servedZones();
    const record = { ...withoutZone, zoneId };
    await create(record);
    await create(record);
    expect(records()).toMatchObject(created);
    await remove(record);
    await remove(record);
    expect(records()).toEqual([]);
  },
);

test('an alias gets the record that it lacks, and loses those that are its own', async () => {
  const { route53, zoneId, records, create, remove } = await servedZones();
  await route53.change(zoneId, changeOf('CREATE', 'AAAA', 'zoo.example', '2001:db8::1'));
  const [foreign] = records();
  const alias = { ...ALIAS, zoneId };
  await create(alias);
  expect(records()).toHaveLength(2);
  expect(records()).toContainEqual(expect.objectContaining({ type: 'A', name: 'zoo.example.' }));
  await remove(alias);
  expect(records()).toEqual([foreign]);
});

test('create and remove leave a record with another value as it is', async () => {
  const { route53, zoneId, records, create, remove } = await servedZones();
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'www.zoo.example', 'elsewhere.example'));
  const before = records();
  await create({ ...CNAME, zoneId });
  expect(records()).toEqual(before);
  await remove({ ...CNAME, zoneId });
  expect(records()).toEqual(before);
});
