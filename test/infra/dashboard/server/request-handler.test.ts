import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { standInEnvironment, type TestDashboard, testDashboard } from '../test-dashboard.ts';

const staging = standInEnvironment('staging');
let dashboard: TestDashboard;
beforeAll(async () => {
  dashboard = await testDashboard(staging);
});
afterAll(() => dashboard.close());
beforeEach(() => {
  staging.sent.length = 0;
});

const LIST = '/api/staging/commands/keys.list';
const NO_INPUT = { input: {} };

const code = ({ body }: { body: string }) => JSON.parse(body).error.code;

describe('a session', () => {
  test('200: is opened by the token of the URL, each time another one, with the environments', async () => {
    const opened = await dashboard.open();
    const { result } = JSON.parse(opened.body);
    const environments = [{ stage: 'staging', isLocal: false }];
    expect([opened.status, result]).toEqual([
      200,
      { session: expect.stringMatching(/^[\w-]{43}$/), environments },
    ]);
    expect(JSON.parse((await dashboard.open()).body).result.session).not.toBe(result.session);
  });

  test('200: is opened at the host of another link, too, by the token of that link alone', async () => {
    for (const link of [dashboard.singleUseUrl(), dashboard.fallbackUrl]) {
      const { host, origin, hash } = new URL(link);
      const open = (secret: string) =>
        dashboard.post('/api/session', NO_INPUT, {
          Host: host,
          Origin: origin,
          'X-Petstore-Dashboard': secret,
        });
      const [, own = ''] = dashboard.url.split('#token=');
      for (const secret of [own, '']) expect((await open(secret)).status).toBe(401);
      expect((await open(hash.slice('#token='.length))).status).toBe(200);
    }
  });

  test('401: neither a guess, the token itself, nor anything in a cookie is one', async () => {
    const [, token = ''] = dashboard.url.split('#token=');
    const { session } = JSON.parse((await dashboard.open()).body).result;
    const Cookie = `session=${session}; petstore-dashboard-${dashboard.port}=${session}`;
    for (const secret of ['', '1', 'a'.repeat(43), `${session}a`, session.slice(1), token]) {
      const response = await dashboard.post(LIST, NO_INPUT, { Cookie, 'X-Petstore-Dashboard': secret });
      expect([response.status, code(response)], secret).toEqual([401, 'session_ended']);
      if (secret === token) continue;
      const opened = await dashboard.open(secret);
      expect([opened.status, code(opened)], secret).toEqual([401, 'session_ended']);
    }
    expect(staging.sent).toEqual([]);
  });
});

describe('a request of another site', () => {
  test('421: under another host name, as after DNS rebinding', async () => {
    const { port } = dashboard;
    const { hostname } = new URL(dashboard.origin);
    const other = `a.localhost:${port}`;
    for (const Host of [
      'evil.example',
      `evil.example:${port}`,
      `localhost:${port}`,
      other,
      hostname,
      '127.0.0.1',
    ]) {
      expect((await dashboard.send('/', { headers: { Host } })).status, Host).toBe(421);
      expect((await dashboard.post(LIST, NO_INPUT, { Host, Origin: `http://${Host}` })).status, Host).toBe(
        421,
      );
    }
    expect((await dashboard.send(`http://evil.example/${LIST}`)).status).toBe(400);
    expect(staging.sent).toEqual([]);
  });

  test('403: with another origin, or none', async () => {
    const { origin: fallback } = new URL(dashboard.fallbackUrl);
    const { host } = new URL(dashboard.origin);
    for (const Origin of ['https://evil.example', 'null', fallback, `https://${host}`, '']) {
      expect((await dashboard.post(LIST, NO_INPUT, { Origin })).status, Origin).toBe(403);
    }
    expect((await dashboard.post(LIST, NO_INPUT, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(staging.sent).toEqual([]);
  });

  test('401: a form, which cannot send the header', async () => {
    for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data']) {
      const headers = { 'X-Petstore-Dashboard': '', 'Content-Type': type };
      expect((await dashboard.post(LIST, '{"input":{}}', headers)).status, type).toBe(401);
    }
    expect(staging.sent).toEqual([]);
  });

  test('405: GET on the API, POST on the page', async () => {
    expect((await dashboard.send(LIST)).status).toBe(405);
    expect((await dashboard.post('/', NO_INPUT)).status).toBe(405);
  });
});

describe('every response', () => {
  test('forbids frames, caches, inline code and other hosts, and sets no cookie, which every port would get', async () => {
    const responses = [
      await dashboard.open(),
      await dashboard.post(LIST, NO_INPUT),
      await dashboard.send('/'),
      await dashboard.send('/assets/page.js'),
    ];
    for (const [index, { headers }] of responses.entries()) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(
        index < 2 ? "default-src 'none'; " : "default-src 'none'; script-src 'self'; ",
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      const forPages = [
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",
      ];
      expect(policy.split('; ').filter(directive => forPages.includes(directive))).toEqual(
        index < 2 ? [] : forPages,
      );
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect([headers['access-control-allow-origin'], headers['set-cookie']]).toEqual([undefined, undefined]);
    }
  });

  test('200: the page is the same document at every URL, without inline code and data', async () => {
    const { body } = await dashboard.send('/');
    expect(body.match(/<script[^>]*>[^<]/g)).toBeNull();
    expect(body).not.toContain('staging');
    expect((await dashboard.send('/staging/projects/a/domains')).body).toBe(body);
  });

  test('404: a file that is not of the page', async () => {
    expect((await dashboard.send('/assets/../access.ts')).body).not.toContain('Access');
    expect((await dashboard.send('/assets/access.ts')).status).toBe(404);
  });
});
