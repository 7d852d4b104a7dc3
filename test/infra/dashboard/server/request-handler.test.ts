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

describe('signing in', () => {
  test('200: the token in the URL starts a session in a cookie that scripts and other sites cannot use', async () => {
    const response = await dashboard.send(dashboard.url.slice(dashboard.origin.length));
    expect(response.status).toBe(200);
    expect(String(response.headers['set-cookie'])).toMatch(
      /^petstore-dashboard-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/,
    );
    expect(response.body).toContain('http-equiv="refresh" content="0; url=/"');
    expect(response.body).not.toContain('token');
  });

  test('200: the URL after the sign-in keeps the path, and is never one of another host', async () => {
    const { searchParams } = new URL(dashboard.url);
    const token = `token=${searchParams.get('token')}`;
    const kept = await dashboard.send(`/staging/audit?${token}&filter=jane`);
    expect(kept.body).toContain('url=/staging/audit?filter=jane"');
    const elsewhere = await dashboard.send(`/.//evil.example/?${token}`);
    expect(elsewhere.body).toContain('url=/evil.example/"');
  });

  test('403: a wrong token starts no session', async () => {
    const response = await dashboard.send('/?token=wrong');
    expect([response.status, response.headers['set-cookie']]).toEqual([403, undefined]);
  });

  test('403: a single-use URL works once', async () => {
    const path = dashboard.singleUseUrl().slice(dashboard.origin.length);
    expect((await dashboard.send(path)).status).toBe(200);
    expect((await dashboard.send(path)).status).toBe(403);
  });

  test('401: the page, its files and the API need a session', async () => {
    for (const path of ['/', '/staging/keys', '/assets/page.js', '/assets/page.css']) {
      expect((await dashboard.send(path)).status, path).toBe(401);
    }
    const api = await dashboard.post(LIST, NO_INPUT, { Cookie: '' });
    expect([api.status, code(api)]).toEqual([401, 'session_ended']);
    expect(staging.sent).toEqual([]);
  });

  test('401: a cookie with another value is no session', async () => {
    const forged = { Cookie: `petstore-dashboard-${dashboard.port}=${'a'.repeat(43)}` };
    expect((await dashboard.send('/', { headers: forged })).status).toBe(401);
    expect((await dashboard.post(LIST, NO_INPUT, forged)).status).toBe(401);
    expect(staging.sent).toEqual([]);
  });
});

describe('a request of another site', () => {
  test('421: under another host name, as after DNS rebinding', async () => {
    const cookie = await dashboard.signIn();
    for (const Host of [
      'evil.example',
      `evil.example:${dashboard.port}`,
      `localhost:${dashboard.port}`,
      '127.0.0.1',
    ]) {
      expect((await dashboard.send('/', { headers: { ...cookie, Host } })).status, Host).toBe(421);
      expect((await dashboard.post(LIST, NO_INPUT, { Host })).status, Host).toBe(421);
    }
    const { status } = await dashboard.send(`http://evil.example/${LIST}`, { headers: cookie });
    expect(status).toBe(400);
    expect(staging.sent).toEqual([]);
  });

  test('403: with another origin, or none', async () => {
    for (const Origin of ['https://evil.example', 'null', `http://localhost:${dashboard.port}`, '']) {
      expect((await dashboard.post(LIST, NO_INPUT, { Origin })).status, Origin).toBe(403);
    }
    expect((await dashboard.post(LIST, NO_INPUT, { 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403);
    expect(staging.sent).toEqual([]);
  });

  test('403: a form, which cannot send the header', async () => {
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
    ]) {
      const headers = { 'X-Petstore-Dashboard': '', 'Content-Type': type };
      expect((await dashboard.post(LIST, '{"input":{}}', headers)).status, type).toBe(403);
    }
    expect(staging.sent).toEqual([]);
  });

  test('405: GET on the API, POST on the page', async () => {
    const cookie = await dashboard.signIn();
    expect((await dashboard.send(LIST, { headers: cookie })).status).toBe(405);
    expect((await dashboard.post('/', NO_INPUT)).status).toBe(405);
  });
});

describe('every response', () => {
  test('forbids frames, caches, inline code and other hosts', async () => {
    const cookie = await dashboard.signIn();
    const responses = [
      await dashboard.post(LIST, NO_INPUT),
      await dashboard.send('/', { headers: cookie }),
      await dashboard.send('/'),
      await dashboard.send('/?token=wrong'),
      await dashboard.send('/assets/page.js', { headers: cookie }),
    ];
    for (const [index, { headers }] of responses.entries()) {
      const policy = String(headers['content-security-policy']);
      expect(policy).toContain(
        index === 0 ? "default-src 'none'; " : "default-src 'none'; script-src 'self'; ",
      );
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).not.toContain('unsafe');
      expect(headers).toMatchObject({
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
      expect(headers['access-control-allow-origin']).toBeUndefined();
    }
  });

  test('200: the page is the same document at every URL, without inline code', async () => {
    const cookie = await dashboard.signIn();
    const { body } = await dashboard.send('/', { headers: cookie });
    expect(body).toContain(
      'data-environments="[{&#34;stage&#34;:&#34;staging&#34;,&#34;isLocal&#34;:false}]"',
    );
    expect(body.match(/<script[^>]*>[^<]/g)).toBeNull();
    expect((await dashboard.send('/staging/projects/a/domains', { headers: cookie })).body).toBe(body);
  });

  test('404: a file that is not of the page', async () => {
    const cookie = await dashboard.signIn();
    expect((await dashboard.send('/assets/../access.ts', { headers: cookie })).body).not.toContain('Access');
    expect((await dashboard.send('/assets/access.ts', { headers: cookie })).status).toBe(404);
  });
});
