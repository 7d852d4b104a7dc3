import { InvalidChangeBatch, Route53Client } from '@aws-sdk/client-route-53';
import { expect, onTestFinished, test } from 'vitest';
import { changeOf, servedRoute53 } from '../../../../infra/local/testing/served-route53.ts';
import { platformZone } from '../../../../shared/domains/aws/platform-zone.ts';
import { ENDPOINT, TARGET } from '../claimed-domain.ts';
import { cannedResponses, stubEndpoint } from './client-endpoint.ts';

const GATEWAY_HOST = 'd-1.execute-api.us-east-1.amazonaws.com';

/** The platform zone at the local Route 53, and the host records in it. */
async function servedZone({ waitScale = 0 } = {}) {
  const route53 = await servedRoute53({ waitScale });
  stubEndpoint('ROUTE_53', route53.endpoint);
  const zoneId = await route53.created('apps.petstore.example');
  const hosts = () =>
    (route53.zones.find(zoneId)?.recordSets ?? [])
      .filter(({ type }) => type !== 'NS' && type !== 'SOA')
      .map(({ type, name, ttlSeconds, values }) => [type, name, ttlSeconds, ...values].join(' '));
  return { route53, zoneId, hosts, ...platformZone(zoneId) };
}

test('open creates a host once; pointAt creates or changes one, which open then leaves as it is', async () => {
  const { hosts, open, pointAt } = await servedZone();
  const at = (host: string) => [`CNAME ${TARGET}. 60 ${host}`];
  await open(TARGET, ENDPOINT);
  await open(TARGET, ENDPOINT);
  expect(hosts()).toEqual(at(ENDPOINT));
  await pointAt(TARGET, GATEWAY_HOST);
  await pointAt(TARGET, GATEWAY_HOST);
  await open(TARGET, ENDPOINT);
  expect(hosts()).toEqual(at(GATEWAY_HOST));
  await pointAt(`z${TARGET}`, ENDPOINT);
  expect(hosts()).toContain(`CNAME z${TARGET}. 60 ${ENDPOINT}`);
});

test('targetOf returns what a host points at, and undefined once it was deleted by hand', async () => {
  const { route53, zoneId, pointAt, targetOf } = await servedZone();
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', TARGET, ENDPOINT));
  // The next record in Route 53's order: a listing that starts at a deleted host returns this one.
  await pointAt(`z${TARGET}`, GATEWAY_HOST);
  expect(await targetOf(TARGET)).toBe(ENDPOINT);
  await route53.change(zoneId, changeOf('DELETE', 'CNAME', TARGET, ENDPOINT));
  expect(await targetOf(TARGET)).toBeUndefined();
});

test('a record of another type at the name of a host is not a host: targetOf does not return it, remove keeps it', async () => {
  const { route53, zoneId, hosts, targetOf, remove } = await servedZone();
  await route53.change(zoneId, changeOf('CREATE', 'TXT', TARGET, '"a text"'));
  expect(await targetOf(TARGET)).toBeUndefined();
  await remove(TARGET);
  expect(hosts()).toEqual([expect.stringMatching(/^TXT /)]);
});

test('a change is repeated while Route 53 applies another one', async () => {
  const { route53, hosts, pointAt } = await servedZone({ waitScale: 1 });
  // The time that Route 53 takes passes between the attempts.
  const passing = setInterval(() => {
    route53.clock.nowMs += 100;
  }, 20);
  onTestFinished(() => clearInterval(passing));
  await Promise.all([pointAt(TARGET, ENDPOINT), pointAt(`z${TARGET}`, ENDPOINT)]);
  expect(hosts()).toHaveLength(2);
});

test('remove deletes a host wherever it points and no other one, and may be repeated', async () => {
  const { route53, zoneId, hosts, pointAt, remove } = await servedZone();
  await pointAt(TARGET, ENDPOINT);
  // The next record in Route 53's order: a listing that starts at a deleted host returns this one.
  await route53.change(zoneId, changeOf('CREATE', 'CNAME', `z${TARGET}`, 'a.example'));
  await route53.change(zoneId, changeOf('UPSERT', 'CNAME', TARGET, 'b.example'));
  await remove(TARGET);
  await remove(TARGET);
  expect(hosts()).toEqual([expect.stringContaining(`z${TARGET}`)]);
});

test('remove succeeds when somebody else deletes the host in the meantime', async () => {
  const ResourceRecordSets = [{ Name: `${TARGET}.`, Type: 'CNAME' }];
  const notFound = new InvalidChangeBatch({ message: 'but it was not found', $metadata: {} });
  const sent = cannedResponses(Route53Client, { ResourceRecordSets }, notFound);
  await expect(platformZone('Z1').remove(TARGET)).resolves.toBeUndefined();
  expect(sent).toHaveLength(2);
});

test('nameServers are those that the zone was given, without dots at their ends', async () => {
  const { zoneId, route53, nameServers } = await servedZone();
  const names = await nameServers();
  const [ns] = (route53.zones.find(zoneId)?.recordSets ?? []).filter(({ type }) => type === 'NS');
  expect(names.map(name => `${name}.`).toSorted()).toEqual([...(ns?.values ?? [])].toSorted());
  expect(names).toHaveLength(4);
});

test('without a platform domain no host can be created, and there is none to find or delete, nor a name server', async () => {
  const zone = platformZone(undefined);
  await expect(zone.open(TARGET, ENDPOINT)).rejects.toThrow(`${TARGET} cannot be created`);
  await expect(zone.pointAt(TARGET, GATEWAY_HOST)).rejects.toThrow('has no platform domain');
  await zone.remove(TARGET);
  expect(await zone.targetOf(TARGET)).toBeUndefined();
  expect(await zone.nameServers()).toEqual([]);
});

test('alias points a wildcard at a domain name of API Gateway, and changes nothing that is right; remove deletes it', async () => {
  const { route53, zoneId, alias, remove, hosts } = await servedZone();
  const wildcard = '*.apps.petstore.example';
  const at = (host: string) => ({ host, hostedZoneId: 'Z1UJRXOUMOOFQ8' });
  await alias(wildcard, at(GATEWAY_HOST));
  const present = route53.zones.find(zoneId)?.recordSets;
  expect(hosts().map(host => host.trim())).toEqual(
    ['A', 'AAAA'].map(type => `${type} \\052.apps.petstore.example.`),
  );
  await alias(wildcard, at(GATEWAY_HOST));
  expect(route53.zones.find(zoneId)?.recordSets).toBe(present);
  await alias(wildcard, at(GATEWAY_HOST.replace('d-1', 'd-2')));
  expect(route53.zones.find(zoneId)?.recordSets.at(-1)?.aliasTarget?.dnsName).toMatch(/^d-2/);
  await remove(wildcard);
  expect(hosts()).toEqual([]);
});
