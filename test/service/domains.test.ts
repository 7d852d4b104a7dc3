import { once } from 'node:events';
import { globSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { exchange } from '../../infra/tools/http-exchange.ts';
import type { SharedServiceAddress } from '../setup/start-shared-service.ts';
import { NEEDS_BROWSER, servePage, startBrowser } from './browser.ts';
import { deleteHost, deleteMapping, domainCommands, type Registrar, registrarOf } from './domain-commands.ts';
import { atEdge, client, created, type Pet } from './http-client.ts';
import { eventually, invoked } from './operator.ts';
import { sharedService } from './shared-service.ts';
import { story } from './story.ts';

const service = sharedService();
const { claimed, command, shown } = domainCommands('staging');

/** A pet of the API: a domain that serves it leads to the API. */
let pet: Pet;
beforeAll(async () => {
  pet = await created(
    client(() => service.staging),
    { name: 'Behind a domain', categoryId: 1 },
  );
});

const served = (host: string, path = `/v1/pets/${pet.id}`) =>
  atEdge(service.edge, host, path, { apiKey: service.staging.apiKey });

const servesApi = () => ({ status: 200, text: JSON.stringify(pet) });

story('the domains of a project', () => {
  let registrar: Registrar;
  beforeAll(async () => {
    registrar = await registrarOf('example.com', service);
  });
  afterAll(() => registrar.close());

  test('a subdomain goes live by its CNAME and becomes the primary domain', async () => {
    const { kind, records } = await claimed('www.example.com');
    expect(kind).toBe('subdomain');
    await registrar.create(records);
    expect(await command('domains.verify', { domain: 'www.example.com' })).toMatchObject({
      status: 'verifying',
    });
    await shown('www.example.com', { status: 'live', primary: true, certificate: { status: 'ISSUED' } });
    expect(await served('www.example.com')).toMatchObject(servesApi());
  });

  test('a sweep looks at a live domain, and finds it in order', async () => {
    const { looked } = await invoked(service, 'DomainChecksReconcileDomains');
    expect(looked).toBeGreaterThan(0);
    expect(await command('domains.show', { domain: 'www.example.com' })).toMatchObject({ status: 'live' });
  });

  test('a mapping and a platform record that somebody deletes are restored by verify', async () => {
    const domain = 'www.example.com';
    const { records } = await command('domains.show', { domain });
    await deleteMapping(service, domain);
    await deleteHost(service, records[0].value);
    await restored(domain);
    expect(await served(domain)).toMatchObject(servesApi());
  });

  test('an apex is verified by its TXT record and goes live once its alias points here', async () => {
    const { kind, records } = await claimed('example.com');
    expect(kind).toBe('apex');
    await registrar.create(records.filter(({ type }: { type: string }) => type !== 'ALIAS'));
    await command('domains.verify', { domain: 'example.com' });
    const { next } = await shown('example.com', {
      reason: 'traffic_record_missing',
      next: [expect.stringContaining('At Route 53, create an A alias and an AAAA alias to d-')],
    });
    const [, host = '', zoneId = ''] = /AAAA alias to (\S+) \(hosted zone (\w+)\)/.exec(next[0]) ?? [];
    await registrar.setAlias('example.com', host, zoneId);
    await shown('example.com', { status: 'live', primary: false });
    expect(await served('example.com')).toMatchObject(servesApi());
  });

  test('a redirect keeps path and query, and works seconds after it is set', async () => {
    await command('domains.primary', { domain: 'example.com' });
    const redirect = { domain: 'www.example.com', to: 'example.com' };
    expect(await command('domains.redirect', redirect)).toMatchObject({
      redirect: { to: 'example.com', status: 301 },
    });
    expect(await served('www.example.com', '/a%20b//c?x=1&y=%2F')).toMatchObject({
      status: 301,
      headers: { location: 'https://example.com/a%20b//c?x=1&y=%2F', 'cache-control': 'max-age=300' },
    });
    await command('domains.redirect', { ...redirect, status: 308 });
    const changed = () => atEdge(service.edge, 'www.example.com', '/a', { method: 'POST' });
    await expect.poll(changed).toMatchObject({
      status: 308,
      headers: { location: 'https://example.com/a' },
    });
  });

  test('a redirecting domain responds to a preflight, and pages may read the redirect', async () => {
    const headers = { Origin: 'https://app.zoo.dev', 'Access-Control-Request-Method': 'POST' };
    const at = (domain: string, method: string) =>
      atEdge(service.edge, domain, '/v1/pets', { method, headers });
    const preflight = await at('www.example.com', 'OPTIONS');
    expect(preflight).toMatchObject({
      status: 204,
      headers: {
        'access-control-allow-origin': '*',
        'access-control-allow-methods': expect.stringContaining('POST'),
        'access-control-allow-headers': expect.stringContaining('Authorization'),
      },
    });
    expect(preflight.headers).not.toHaveProperty('location');
    const redirected = await at('www.example.com', 'POST');
    expect(redirected).toMatchObject({ status: 308, headers: { 'access-control-allow-origin': '*' } });
    for (const { headers } of [preflight, redirected, await at('example.com', 'GET')]) {
      expect(headers['strict-transport-security']).toBe('max-age=86400');
    }
  });

  test('a page of another origin follows a redirect, also after a preflight', NEEDS_BROWSER, async () => {
    const page = await servePage({ '/': { type: 'text/html', body: '<title>shop</title>' } });
    const edge = await edgeWithoutTls();
    const isHere = (host: string) => `MAP ${host} 127.0.0.1`;
    const rules = [page.resolverRule, isHere('www.example.com'), isHere('example.com')];
    const browser = await startBrowser(rules.join(', '));
    onTestFinished(async () => {
      await browser.close();
      page.close();
    });
    const tab = await browser.newPage();
    await tab.goto(page.url);
    const call = (path: string, options: { method: string; headers?: Record<string, string> }) =>
      tab.evaluate(
        async ([url, init]) => {
          const { status, redirected, url: final } = await fetch(url, init);
          return { status, redirected, final };
        },
        [`http://www.example.com:${edge.port}${path}`, options] as const,
      );
    const redirected = true;
    const [get, post] = [
      await call('/v1/openapi.json?a=1', { method: 'GET' }),
      await call('/v1/pets', {
        method: 'POST',
        headers: { Authorization: `Bearer ${service.staging.apiKey}`, 'Content-Type': 'application/json' },
      }),
    ];
    const primary = `http://example.com:${edge.port}`;
    expect(get).toEqual({ status: 200, redirected, final: `${primary}/v1/openapi.json?a=1` });
    // Browsers do not take the key to another origin.
    expect(post).toEqual({ status: 401, redirected, final: `${primary}/v1/pets` });
  });

  /** The edge for a browser that lacks a library for TLS, as the one that npm brings does on a bare machine. */
  async function edgeWithoutTls(): Promise<{ readonly port: number }> {
    const server = createServer(
      async ({ method = '', url, headers: { host = '', ...headers } }, outgoing) => {
        const [hostname, port] = host.split(':');
        const target = { method, headers, edge: service.edge, agent: false } as const;
        const { status, headers: received, bytes } = await exchange(`https://${hostname}${url}`, target);
        const location = received.location?.replace(/^https:\/\/([^/]+)/, `http://$1:${port}`);
        outgoing.writeHead(status, { ...received, ...(location && { location }) }).end(bytes);
      },
    );
    onTestFinished(() => {
      server.close();
      server.closeAllConnections();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return server.address() as AddressInfo;
  }

  test('a removal stops the traffic at once, and domains that redirected to the removed one serve the project', async () => {
    expect(await command('domains.remove', { domain: 'example.com' })).toMatchObject({ status: 'removing' });
    const responds = await served('example.com').then(
      ({ status }) => status,
      error => error.code,
    );
    // The mapping is deleted first. A moment later there's no domain name any more, and no certificate for it.
    expect([403, 'ECONNRESET']).toContain(responds);
    expect(await served('www.example.com')).toMatchObject(servesApi());
    await shown('www.example.com', { primary: true, redirect: null });
    await eventually(async () => {
      const { domains } = await command('domains.list', {});
      expect(domains.map(({ domain }: { domain: string }) => domain)).not.toContain('example.com');
    });
  });

  test('a live domain that no longer points here reports it and is still served', async () => {
    await registrar.set('www.example.com', 'CNAME', 'elsewhere.example.net');
    expect(await command('domains.verify', { domain: 'www.example.com' })).toMatchObject({
      status: 'live',
      reason: 'traffic_record_mismatch',
      // Resolvers may still have the record from before, so that some visitors arrive.
      message: expect.stringContaining('from elsewhere.example.net to '),
    });
    expect((await served('www.example.com')).status).toBe(200);
  });

  test('subscribers of the event bus hear of every change of state', async () => {
    const heard = (domain: string) =>
      loggedEvents(service, domain).map(({ source, 'detail-type': type, detail }) =>
        [source, type, detail.reason].join(' '),
      );
    await eventually(() => {
      const ofSubdomain = heard('www.example.com');
      expect(ofSubdomain[0]).toBe('petstore.staging Domain live ');
      expect(ofSubdomain.at(-1)).toBe('petstore.staging Domain needs attention traffic_record_mismatch');
      const ofApex = heard('example.com');
      expect(ofApex[0]).toBe('petstore.staging Domain live ');
      expect(ofApex.at(-1)).toBe('petstore.staging Domain removed ');
    });
  });

  test('whoever is to get mails about domains gets one for each', async () => {
    const mails = () =>
      loggedLines<{ to: string; subject: string }>(service, 'aws-sns-email').map(
        ({ to, subject }) => `${to}: ${subject}`,
      );
    await eventually(() =>
      expect(mails()).toEqual(
        expect.arrayContaining([
          'domains@petstore.test: Domain live: example.com (Petstore staging)',
          'domains@petstore.test: Domain removed: example.com (Petstore staging)',
          'domains@petstore.test: Domain needs attention: www.example.com (Petstore staging)',
        ]),
      ),
    );
  });

  test('a domain reports each fault in turn and goes live when all are corrected', async () => {
    const domain = 'shop.example.org';
    const registrar = await registrarOf('example.org', service);
    await registrar.set(domain, 'A', '192.0.2.1');
    await registrar.set('example.org', 'CAA', '0 issue "letsencrypt.org"');
    const { records } = await claimed(domain);
    await command('domains.verify', { domain });
    await shown(domain, {
      reason: 'traffic_record_conflict',
      records: [{ observed: ['192.0.2.1'] }, {}],
      next: expect.arrayContaining([expect.stringContaining(`Change the A record at ${domain}`)]),
    });

    await registrar.delete(domain, 'A', '192.0.2.1');
    await registrar.set(domain, 'CNAME', 'wrong.example.net');
    await shown(domain, {
      reason: 'traffic_record_mismatch',
      records: [{ observed: ['wrong.example.net'] }, {}],
    });

    await registrar.create(records);
    await shown(domain, {
      status: 'issuing',
      reason: 'caa_blocked',
      next: expect.arrayContaining([expect.stringContaining('Add CAA: name @, value 0 issue "amazon.com".')]),
    });

    await registrar.set('example.org', 'CAA', '0 issue "amazon.com"');
    await shown(domain, { status: 'live' });
    registrar.close();
  });
});

/** Verifies a domain until nothing is wrong: resolvers may have cached that a record was gone. */
const restored = (domain: string) =>
  eventually(async () =>
    expect(await command('domains.verify', { domain })).toMatchObject({ status: 'live', reason: null }),
  );

/** An event as the log of the event bus has it. */
interface LoggedEvent {
  readonly source: string;
  readonly 'detail-type': string;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** The events of a domain that the event bus has logged so far. Repeats are left out: they have the same id. */
function loggedEvents(service: SharedServiceAddress, domain: string): LoggedEvent[] {
  const events = loggedLines<LoggedEvent>(service, 'aws-events-default');
  const domainEvents = events.filter(({ detail }) => detail.domain === domain);
  return [...new Map(domainEvents.map(event => [event.detail.id, event])).values()];
}

/** What a log of the local AWS has so far. */
function loggedLines<Line>({ errorFile }: SharedServiceAddress, log: string): Line[] {
  const folder = dirname(errorFile);
  const files = globSync(`local-runtime-*/${log}.log`, { cwd: folder });
  return files.flatMap(file =>
    readFileSync(join(folder, file), 'utf8')
      .split('\n')
      .filter(line => line.endsWith('}'))
      // The time of the line precedes it.
      .map((line): Line => JSON.parse(line.slice(line.indexOf('{')))),
  );
}
