import { expect, test } from 'vitest';
import { platformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { changeOf, servedRoute53 } from '../../../infra/local/route53/served-route53.ts';
import { ENDPOINT, TARGET } from '../claimed-domain.ts';
import { clientsFind } from './client-endpoint.ts';

const GATEWAY_HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

/** The platform's zone at Route 53 on one machine, and its records of hosts. */
async function served() {
  const route53 = await servedRoute53();
  clientsFind('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created('apps.petstore.example');
  const hosts = () =>
    (route53.zones.find(zoneId)?.recordSets ?? [])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ type, name, ttlSeconds, values }) => [type, name, ttlSeconds, ...values].join(' '));
  return { route53, zoneId, hosts, ...platformZone(zoneId) };
}

test('a new host leads somewhere, once and again', async () => {
  const { hosts, open } = await served();
  await open(TARGET, ENDPOINT);
  await open(TARGET, ENDPOINT);
  expect(hosts()).toEqual([`CNAME ${TARGET}. 60 ${ENDPOINT}`]);
});

test('a host that leads elsewhere by now is left as it is by whoever opens it late', async () => {
  const { hosts, open, pointAt } = await served();
  await open(TARGET, ENDPOINT);
  await pointAt(TARGET, GATEWAY_HOST);
  await open(TARGET, ENDPOINT);
  expect(hosts()).toEqual([`CNAME ${TARGET}. 60 ${GATEWAY_HOST}`]);
});

test('a host is not opened, and that is said, where there is no zone', async () => {
  await served();
  await expect(platformZone('Z0000000000000').open(TARGET, ENDPOINT)).rejects.toMatchObject({
    name: 'NoSuchHostedZone',
  });
});

test('a host leads somewhere, and soon somewhere else', async () => {
  const { hosts, pointAt } = await served();
  await pointAt(TARGET, ENDPOINT);
  expect(hosts()).toEqual([`CNAME ${TARGET}. 60 ${ENDPOINT}`]);
  await pointAt(TARGET, GATEWAY_HOST);
  await pointAt(TARGET, GATEWAY_HOST);
  expect(hosts()).toEqual([`CNAME ${TARGET}. 60 ${GATEWAY_HOST}`]);
});

test('a host is taken away wherever it leads, once and again, and no other with it', async () => {
  const { route53, zoneId, hosts, pointAt, remove } = await served();
  await pointAt(TARGET, ENDPOINT);
  // The next in Route 53's order, which a listing from a host on gives where that host is not there.
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', `z${TARGET}`, 'a.example'));
  await route53.change(zoneId, changeOf('UPSERT', 'CNAME', TARGET, 'b.example'));
  await remove(TARGET);
  await remove(TARGET);
  expect(hosts()).toEqual([expect.stringContaining(`z${TARGET}`)]);
});
