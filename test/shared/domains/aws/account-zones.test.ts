import { DeleteHostedZoneCommand } from '@aws-sdk/client-route-53';
import { describe, expect, test } from 'vitest';
import { nameServers } from '../../../../infra/local/route53/delegation-set.ts';
import { accountZones } from '../../../../shared/domains/aws/account-zones.ts';
import type { ManagedRecord } from '../../../../shared/domains/life/domain.ts';
import { changeOf, servedRoute53 } from '../../../infra/local/route53/served-route53.ts';
import { TARGET } from '../claimed-domain.ts';
import { clientsFind } from './client-endpoint.ts';

/** Route 53 on one machine with the zone of zoo.example, which is on the allow-list, and one that is not. */
async function served() {
  const route53 = await servedRoute53();
  clientsFind('ROUTE_53', route53.endpoint);
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

test('the zones of the allow-list, with the name servers that the world should ask', async () => {
  const { zoneId, list } = await served();
  expect(await list()).toEqual([
    { id: zoneId, name: 'zoo.example', isPrivate: false, nameServers: nameServers(zoneId) },
  ]);
});

test('a zone that was deleted is none', async () => {
  const { route53, zoneId, list } = await served();
  await route53.client.send(new DeleteHostedZoneCommand({ Id: zoneId }));
  expect(await list()).toEqual([]);
});

test('no zone is asked for where none is allowed', async () => {
  expect(await accountZones([]).list()).toEqual([]);
});

const HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

describe.each<Omit<ManagedRecord, 'zoneId'>>([
  CNAME,
  { ...CNAME, type: 'TXT', name: '_petstore-challenge.zoo.example', value: 'petstore-1' },
  { ...CNAME, type: 'A', name: 'zoo.example', value: HOST, ttl: 0, aliasZoneId: 'Z1UJRXOUMOOFQ8' },
])('a record of the type $type', unplaced => {
  test('is made once, and deleted as it was made', async () => {
    const { zoneId, records, create, remove } = await served();
    const record = { ...unplaced, zoneId };
    await create(record);
    expect(records()).toMatchObject([
      record.aliasZoneId === null
        ? { ttlSeconds: 3600, values: [expect.stringContaining(record.value)] }
        : { aliasTarget: { dnsName: `${HOST}.`, hostedZoneId: record.aliasZoneId } },
    ]);
    await create(record);
    expect(records()).toHaveLength(1);
    await remove(record);
    expect(records()).toEqual([]);
    await remove(record);
  });
});

test('a record that is there already stays as it is, whoever wants to make or delete it', async () => {
  const { route53, zoneId, records, create, remove } = await served();
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', 'www.zoo.example', 'elsewhere.example'));
  const before = records();
  await create({ ...CNAME, zoneId });
  expect(records()).toEqual(before);
  await remove({ ...CNAME, zoneId });
  expect(records()).toEqual(before);
});

test('a record of a zone that was deleted is gone with it', async () => {
  const { route53, zoneId, remove } = await served();
  await route53.client.send(new DeleteHostedZoneCommand({ Id: zoneId }));
  await remove({ ...CNAME, zoneId });
});
