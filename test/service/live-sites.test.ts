import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openCertificateAuthority } from '../../infra/local/testing/certificate-authority.ts';
import { needs } from '../../infra/local/testing/needs.ts';
import { EDGE_ADDRESSES, hasIpv6, webServerAddress } from '../../infra/local/testing/public-addresses.ts';
import { deleteHost, deleteMapping, domainCommands, type Registrar, registrarOf } from './domain-commands.ts';
import { atEdge } from './http-client.ts';
import { eventually, invoked, operate } from './operator.ts';
import { ownStaging } from './own-staging.ts';

/** The six hours of a takeover are 22 s here. Nothing runs on a schedule. */
const { runtime, environment } = ownStaging(undefined, 0.001);
const { command, deployed, shown, claimed, wentLive } = domainCommands('staging', () => runtime());

const OTHER_HOST = '192.0.2.1';
const SHOP = 'shop';
const SITE = 'site';
const APEX = 'apex-site';
let zone: Registrar;
beforeAll(async () => {
  zone = await registrarOf('site.dev', runtime());
  await zone.set('elsewhere.site.dev', 'A', OTHER_HOST);
  await deployed(SHOP);
  await deployed(SITE);
  await deployed(APEX);
});
afterAll(() => zone.close());

/** Runs what a schedule would run. */
const scheduled = (logicalId: string) => invoked(runtime(), logicalId);

/** Waits until the sweep that is due every few minutes has made a domain as expected. */
const checked = (domain: string, expected: object, project?: string) =>
  eventually(async () => {
    await scheduled('DomainChecksReconcileDomains');
    expect(await command('domains.show', { domain, project })).toMatchObject(expected);
  });

const served = (domain: string) =>
  atEdge(runtime().edge, domain, '/v1/pets?limit=1', { apiKey: environment().apiKey });

/** What a visitor sees who goes where DNS leads: the other host, a status of our edge, or an error. */
async function visit(domain: string): Promise<unknown> {
  const resolver = new Resolver();
  resolver.setServers([runtime().dns]);
  try {
    const [ip] = await resolver.resolve4(domain);
    return ip === OTHER_HOST ? 'the other host' : (await served(domain)).status;
  } catch (error) {
    return String(error);
  }
}

/** What visitors have seen who came all the time while something was done, and right after it. */
async function visitsDuring(domain: string, act: () => Promise<unknown>) {
  const seen = new Set([await visit(domain)]);
  let isDone = false;
  const visitor = async () => {
    while (!isDone) {
      seen.add(await visit(domain));
      await pause(5);
    }
  };
  const visitors = [visitor(), visitor()];
  await act().finally(() => {
    isDone = true;
  });
  await Promise.all(visitors);
  return seen.add(await visit(domain));
}

test('a site in use elsewhere becomes ready here, and goes live after its CNAME is switched; no visit fails', async () => {
  const domain = 'www.site.dev';
  await zone.set(domain, 'CNAME', 'elsewhere.site.dev');
  const { records } = await claimed(domain, SITE, { switchLater: true });
  expect(records).toMatchObject([
    { purpose: 'ownership' },
    { purpose: 'certificate' },
    { purpose: 'traffic' },
  ]);
  await zone.create(records.slice(0, 2));
  await command('domains.verify', { domain, project: SITE });
  const message = expect.stringMatching(
    /^Ready\. Point www\.site\.dev at \S+ whenever you like before .+ UTC\.$/,
  );
  await shown(domain, { status: 'ready', message }, SITE);
  // The client accepts no certificate but that of the domain.
  expect(await served(domain)).toMatchObject({ status: 200 });
  expect(await command('domains.verify', { domain, project: SITE })).toMatchObject({
    status: 'ready',
    message,
  });

  const seen = await visitsDuring(domain, async () => {
    await zone.create(records);
    await checked(domain, { status: 'live', primary: true }, SITE);
  });
  expect(seen).toEqual(new Set(['the other host', 200]));
});

test('an apex in use at Route 53 goes live once its A record is edited into an alias; no visit fails', async () => {
  const domain = 'site.dev';
  await zone.set(domain, 'A', OTHER_HOST);
  const { records } = await claimed(domain, APEX, { switchLater: true });
  await zone.create(records.filter(({ type }: { type: string }) => type !== 'ALIAS'));
  await command('domains.verify', { domain, project: APEX });
  const { records: asked } = await shown(domain, { status: 'ready' }, APEX);
  const [, host = '', zoneId = ''] =
    /edit the A record at site.dev: switch "Alias" on and choose (\S+) \(hosted zone (\w+)\)/.exec(
      asked.at(-1).action,
    ) ?? [];

  const seen = await visitsDuring(domain, async () => {
    await zone.setAlias(domain, host, zoneId);
    await checked(domain, { status: 'live' }, APEX);
  });
  expect(seen).toEqual(new Set(['the other host', 200]));
});

test('a domain goes live behind a proxy with a certificate of its own, once that passes requests on', async () => {
  const domain = 'proxied.site.dev';
  const authority = await openCertificateAuthority(dirname(runtime().edge.ca));
  const { certificate, privateKey } = await authority.sign([domain], 'EC_prime256v1', Date.now());
  let isPassing = false;
  const proxy = createServer({ cert: certificate, key: privateKey }, async (request, response) => {
    const { url = '', headers: sent } = request;
    const options = { apiKey: sent.authorization?.replace('Bearer ', '') ?? '' };
    const { status, headers, text } = isPassing
      ? await atEdge(runtime().edge, domain, url, options)
      : { status: 404, headers: {}, text: '{"code":"not_found","message":"Not here.","status":404}' };
    response.writeHead(status, headers).end(text);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void proxy.close());
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  const { records } = await claimed(domain, undefined, { switchLater: true });
  await zone.create(records.slice(0, 2));
  await zone.set(domain, 'A', webServerAddress(port));
  await command('domains.verify', { domain });
  await shown(domain, { status: 'ready' });
  expect(await command('domains.verify', { domain })).toMatchObject({ status: 'ready' });
  isPassing = true;
  const message = expect.stringContaining(
    "live behind a proxy. Visitors see the proxy's certificate, not ours.",
  );
  await checked(domain, { status: 'live', isProxied: true, reason: null, message });
  const visitors = { https: `127.0.0.1:${port}`, ca: runtime().edge.ca };
  expect(await atEdge(visitors, domain, '/v1/pets?limit=1', environment())).toMatchObject({ status: 200 });
  await command('domains.verify', { domain });
  await shown(domain, { status: 'live', reason: null, message });
  isPassing = false;
  expect(await command('domains.verify', { domain })).toMatchObject({
    status: 'live',
    reason: 'https_certificate_wrong',
    message: expect.stringContaining(`The proxy of ${domain} no longer passes requests on`),
  });
});

const ADDRESS_NEEDS = needs('IPv6', hasIpv6);
test(
  'an apex goes live once its IPv6 address is one of API Gateway, and no other in the same network',
  ADDRESS_NEEDS,
  async () => {
    const apex = await registrarOf('six.dev', runtime());
    const domain = 'six.dev';
    const { records } = await claimed(domain);
    await apex.create(records);
    await apex.set(domain, 'AAAA', '2600:1f18::7');
    await command('domains.verify', { domain });
    await shown(domain, { status: 'ready' });
    const message = expect.stringContaining(
      `https://${domain} can't be checked at 2600:1f18::7: IPv6 addresses`,
    );
    await checked(domain, { status: 'ready', reason: 'https_unconfirmed', message });
    await apex.set(domain, 'AAAA', EDGE_ADDRESSES.AAAA);
    await checked(domain, { status: 'live', reason: null });
    await apex.set(domain, 'AAAA', '2600:1f18::7');
    await scheduled('DomainChecksReconcileDomains');
    expect(await command('domains.show', { domain })).toMatchObject({ status: 'live', reason: null });
    apex.close();
  },
);

test('a live domain whose zone is delegated to servers that do not have it says that, until it is mended', async () => {
  const child = await registrarOf('lame.site.dev', runtime());
  await zone.set('lame.site.dev', 'NS', child.nameServer);
  const domain = 'www.lame.site.dev';
  await wentLive(child, domain);
  await zone.set('lame.site.dev', 'NS', zone.nameServer);
  const message = expect.stringMatching(
    /^www\.lame\.site\.dev can't be looked up\. The name servers of lame\.site\.dev \(.+\) don't serve this zone \(.+\)\. Create the zone there, or correct its NS records in the parent zone\.$/,
  );
  await checked(domain, { status: 'live', reason: 'traffic_record_unreachable', message });
  await zone.set('lame.site.dev', 'NS', child.nameServer);
  await checked(domain, { status: 'live', reason: null });
  child.close();
});

test('a mapping and a host that somebody deletes are restored by the look that sees it', async () => {
  const domain = 'kept.site.dev';
  const { records } = await wentLive(zone, domain);
  const host = records.find(({ purpose }: { purpose: string }) => purpose === 'traffic').value;
  for (const damage of [() => deleteMapping(runtime(), domain), () => deleteHost(runtime(), host)]) {
    await damage();
    // Resolvers may still have the address.
    await eventually(async () => expect(await visit(domain)).not.toBe(200));
    await eventually(async () => {
      await scheduled('DomainChecksReconcileDomains');
      expect(await visit(domain)).toBe(200);
    });
  }
  await checked(domain, { status: 'live', reason: null });
});

test('a look at a live domain that nobody has looked at for an hour shows what visitors get', async () => {
  const domain = 'unseen.site.dev';
  await wentLive(zone, domain);
  await shown(domain, { status: 'live', isLookOverdue: true });
  await zone.set(domain, 'CNAME', 'elsewhere.site.dev');
  const { lookedAt } = await command('domains.show', { domain });
  const found = await command('domains.look', { domain });
  expect(found).toMatchObject({ status: 'live', reason: 'traffic_record_mismatch' });
  expect(Date.parse(found.lookedAt)).toBeGreaterThan(Date.parse(lookedAt));
});

test('an apex and its www go live after one visit to DNS, and www redirects to the apex', async () => {
  const pair = await registrarOf('pair.dev', runtime());
  const [apex, www] = ['pair.dev', 'www.pair.dev'];
  const redirect = { to: apex, status: 301 };
  expect(await command('domains.add', { domain: apex, withWww: true })).toMatchObject({
    sibling: { domain: www, redirect: { ...redirect, isPending: true } },
  });
  for (const domain of [apex, www]) await pair.create((await claimed(domain)).records);
  for (const domain of [apex, www]) await command('domains.verify', { domain });
  await shown(apex, { status: 'live', redirect: null });
  await shown(www, { status: 'live', redirect });
  const location = 'https://pair.dev/v1/pets?limit=1';
  // The mapping follows the status.
  await expect.poll(() => served(www)).toMatchObject({ status: 301, headers: { location } });
  expect(await served(apex)).toMatchObject({ status: 200 });
  pair.close();
});

test('a live domain moves to another project; no visit fails', async () => {
  const domain = 'moving.site.dev';
  await wentLive(zone, domain);
  const seen = await visitsDuring(domain, async () => {
    for (const [project, to] of [
      ['petstore', SHOP],
      [SHOP, 'petstore'],
    ]) {
      expect(await command('domains.move', { project, domain, to })).toMatchObject({
        project: to,
        status: 'live',
      });
    }
  });
  expect(seen).toEqual(new Set([200]));
});

test('the default URL serves, and says why, while visitors of the primary domain get elsewhere', async () => {
  const [id, domain] = ['wandering', 'wandering.site.dev'];
  await deployed(id);
  const { records } = await wentLive(zone, domain, id);
  /** Waits until what is due every few minutes has made the default URL as expected, and calls it. */
  const called = (expected: object) =>
    eventually(async () => {
      await scheduled('DomainChecksReconcileDomains');
      await scheduled('ProjectsReconcileEndpoint');
      expect(await command('projects.show', { id })).toMatchObject(expected);
      return (await served(`${id}.apps.staging.petstore.test`)).status;
    });
  const defaultUrlReason = expect.stringContaining(`Visitors of the primary domain ${domain} don't arrive`);
  for (const [whileLive, defaultUrlState, status] of [
    ['redirect', 'redirecting', 308],
    ['closed', 'closed', 403],
  ]) {
    await command('projects.endpoint', { id, whileLive });
    await zone.create(records);
    expect(await called({ url: `https://${domain}`, defaultUrlState })).toBe(status);
    await zone.set(domain, 'CNAME', 'elsewhere.site.dev');
    expect(await called({ defaultUrlState: 'serving', defaultUrlReason })).toBe(200);
    expect(await command('domains.show', { project: id, domain })).toMatchObject({
      reason: 'traffic_record_mismatch',
      primary: true,
    });
  }
});

test('a redirect serves its project, and says why, while visitors of its target get elsewhere', async () => {
  const [id, domain, to] = ['leading', 'old.site.dev', 'new.site.dev'];
  await deployed(id);
  const { records } = await wentLive(zone, to, id);
  await wentLive(zone, domain, id);
  await command('domains.redirect', { project: id, domain, to, status: 308 });
  expect(await served(domain)).toMatchObject({ status: 308 });
  await zone.set(to, 'CNAME', 'elsewhere.site.dev');
  const message = expect.stringContaining(
    `Visitors of ${to} don't arrive here at the moment, so ${domain} serves project ${id}`,
  );
  const suspended = { to, isSuspended: true };
  const reason = 'redirect_suspended';
  await checked(domain, { status: 'live', reason, message, redirect: suspended }, id);
  expect(await served(domain)).toMatchObject({ status: 200 });
  await zone.create(records);
  const resumed = { status: 'live', reason: null, role: 'redirects', redirect: { to, status: 308 } };
  await checked(domain, resumed, id);
  expect(await served(domain)).toMatchObject({ status: 308 });
});

test('a domain goes to the project that proves it once the records of its owner are gone, and not before', async () => {
  const domain = 'sold.site.dev';
  const [seller, buyer] = ['petstore', SHOP];
  const { records } = await wentLive(zone, domain, seller);
  const claim = { command: 'domains.add', domain, project: buyer };
  const refused = { ok: false, error: { reason: 'domain_taken' } };
  expect(await operate(runtime(), 'staging', claim)).toMatchObject(refused);

  for (const { name, type, value } of records) await zone.delete(name, type, value);
  await eventually(async () =>
    expect(await operate(runtime(), 'staging', claim)).toMatchObject({ ok: true }),
  );
  await zone.create((await claimed(domain, buyer)).records);
  await command('domains.verify', { domain, project: buyer });
  await shown(domain, { status: 'verifying', reason: 'takeover_pending' }, buyer);
  await shown(domain, { status: 'live', reason: 'takeover_announced' }, seller);
  await checked(domain, { status: 'live', reason: null }, buyer);
  expect(await served(domain)).toMatchObject({ status: 200 });
  await eventually(async () => {
    const { domains } = await command('domains.list', { project: seller });
    expect(domains).not.toContainEqual(expect.objectContaining({ domain }));
    await scheduled('DomainEventsPublishEvents');
    expect(eventsOf(domain, seller)).toEqual([
      'Domain live',
      'Domain needs attention',
      'Domain taken over',
      'Domain removed',
    ]);
  });
});

/** The types of the events of a project's domain that the event bus has logged so far, without repeats. */
function eventsOf(domain: string, project: string): string[] {
  const log = readFileSync(join(runtime().logFolder, 'aws-events-default.log'), 'utf8');
  const types = log
    .split('\n')
    .filter(line => line.endsWith('}'))
    .map(line => JSON.parse(line.slice(line.indexOf('{'))))
    .filter(({ detail }) => detail.domain === domain && detail.project === project)
    .map(event => event['detail-type']);
  return [...new Set(types)];
}
