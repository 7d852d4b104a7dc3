import { expect, test } from 'vitest';
import { platformZone } from '../../../shared/domains/platform-zone.ts';
import { changeOf, servedRoute53 } from '../../infra/local/route53/served-route53.ts';
import { ENDPOINT, TARGET } from './claimed-domain.ts';
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
