import { describe, expect, test } from 'vitest';
import { expectHeadAsGet } from '../../infra/cli/checks/http/every-operation-checks.ts';
import { smokeClient } from '../../infra/cli/checks/http/smoke-client.ts';
import {
  ALL_UNROUTED,
  expectUnrouted,
  largeBodyChecks,
  mediaTypeChecks,
  OPEN_REQUESTS,
} from '../../infra/cli/checks/http/unrouted-checks.ts';
import { exchange } from '../../infra/tools/http-exchange.ts';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { OPERATIONS, requestLine } from '../../shared/operations.ts';
import { client, expectError, expectUnauthorized } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();
const send = client(() => service.staging);

/** As the checks send requests of `petstore smoke`, which test/service/smoke.test.ts runs: here is what takes too long for it. */
const sendChecked: ReturnType<typeof smokeClient> = (request, parts) =>
  smokeClient({ baseUrl: service.staging.url, key: service.staging.apiKey, edge: undefined })(request, parts);

/** What else is malformed: test/functions/api-keys/authorize.test.ts. Some of these don't reach the authorizer. */
describe('authentication', () => {
  test.each<[title: string, header: (own: string) => string | string[] | undefined]>([
    ['no header', () => undefined],
    ['an empty header', () => ''],
    ['an empty key', () => 'Bearer '],
    ['another scheme', own => `Basic ${own}`],
    ['two keys', own => `Bearer ${own} ${own}`],
    ['two headers, though both have a valid key', own => [`Bearer ${own}`, `Bearer ${own}`]],
    ['a key with something in front', own => `Bearer x${own}`],
    ['a key with something behind', own => `Bearer ${own}x`],
    ['a checksum that does not fit', own => `Bearer ${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`],
    ['a well-formed key that nobody has', own => `Bearer ${generateKey(own.slice(0, 'pet_live_'.length))}`],
  ])('401: %s', async (_title, header) => {
    await expectUnauthorized(send, { Authorization: header(service.staging.apiKey) });
  });

  test('401: comes before any other error of the request', async () => {
    const headers = { Authorization: undefined };
    expectError(await send('GET /pets?limit=0', { headers }), 401, 'unauthorized');
    expectError(await send('POST /pets', { headers, body: 'no JSON' }), 401, 'unauthorized');
  });

  test('200: the scheme in any case, spaces around the key', async () => {
    const { apiKey } = service.staging;
    for (const Authorization of [`bearer ${apiKey}`, `BEARER ${apiKey}`, `Bearer   ${apiKey}  `]) {
      expect((await send('GET /pets', { headers: { Authorization } })).status).toBe(200);
    }
  });
});

test('X-Request-Id comes from the service and cannot be chosen by the client', async () => {
  const headers = { 'X-Request-Id': 'chosen-by-client', 'x-amzn-RequestId': 'chosen-by-client' };
  for (const request of ['GET /pets', 'GET /pets/1', 'GET /nothing', 'PUT /pets']) {
    expect((await send(request, { headers })).headers['x-request-id']).not.toContain('chosen');
  }
});

const BODY_TYPES = [
  'application/json; charset=utf-8',
  'application/x-www-form-urlencoded',
  'image/png',
  'multipart/form-data; boundary=x',
  'application/merge-patch+json',
];

/** API Gateway has one mock for all methods that a path doesn't have, and one for OPTIONS. */
const OF_EACH_PATH = [
  ...Map.groupBy(ALL_UNROUTED, ({ request, status }) => request.replace(/^\w+/, String(status))).values(),
].flatMap(([first]) => first ?? []);

describe('paths and methods', () => {
  test('404: unknown paths, inside /v1 and outside', async () => {
    const { url } = service.staging;
    const outside = url.slice(0, -'/v1'.length);
    const paths = [
      '',
      '/',
      '/dogs',
      '/pets/1/name',
      '/Pets',
      '/store',
      '/store/orders/1',
      '/./pets',
      '/store/../pets',
      '/pets//',
      '/pets//1',
      '/pets/1//',
      '//pets',
      '/docs//',
      outside,
      `${outside}/`,
      `${outside}/pets`,
      `${outside}/v2/pets`,
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectError(await send(`${method} ${path}`), 404, 'not_found');
      }
      expectError(await send(`GET ${path}`, { headers: { Authorization: undefined } }), 404, 'not_found');
    }
  });

  test('200: API Gateway ignores empty segments before and after the stage', async () => {
    const { origin, pathname } = new URL(service.staging.url);
    for (const path of [pathname.replace('/v1', '//v1'), `/${pathname}`]) {
      expect((await send(`GET ${origin}${path}/pets?limit=1`)).status, path).toBe(200);
    }
  });

  test.each([4.6, 5, 9.9])(
    'no 5xx: a body of %d MB, to every path, with a key and without',
    async megabytes => {
      const { url, apiKey } = service.staging;
      const body = Buffer.alloc(megabytes * 1_000_000, 'x');
      /** API Gateway's own 413 has none of the headers that all other responses have. */
      const statusOf = async (line: string, headers: Record<string, string>) => {
        const [method = '', path = ''] = line.split(' ');
        return (await exchange(`${url}${path}`, { method, headers, body })).status;
      };
      const served = [...OPERATIONS.map(requestLine), 'HEAD /pets', ...OPEN_REQUESTS, 'HEAD /docs'];
      for (const line of [...served, 'PUT /pets', 'OPTIONS /pets', 'POST /dogs', 'GET /dogs']) {
        const withKey = await statusOf(line, { Authorization: `Bearer ${apiKey}` });
        expect(withKey, line).toBeLessThan(500);
        if (served.includes(line) && megabytes > 9) expect(withKey, line).toBe(413);
        expect(await statusOf(line, {}), line).toBeLessThan(500);
      }
    },
  );

  test.each(OPEN_REQUESTS)('413: a large body to %s, which needs no key', async request => {
    for (const check of largeBodyChecks(request)) await check.run({ send: sendChecked }, () => {});
  });

  test('403: the API of redirects without a custom domain', async () => {
    const response = await fetch(`${service.staging.url.replace(/\/v1$/, '-redirects')}/`);
    expect([response.status, await response.json()]).toEqual([403, { message: 'Forbidden' }]);
  });

  test('400: a percent sign in the query that encodes nothing', async () => {
    expectError(await send('GET /pets?limit=%zz'), 400, 'invalid_request');
  });

  test('400: more headers than the gateway takes', async () => {
    const response = await send('GET /pets', { headers: { 'X-Long': 'x'.repeat(11_000) } });
    expectError(response, 400, 'invalid_request');
  });

  test.each(ALL_UNROUTED)('$status: $request, with a key and without', async unrouted => {
    const body = '{"statusCode":200}';
    const bodies = BODY_TYPES.map(type => ({ body, headers: { 'Content-Type': type } }));
    for (const parts of [{}, { key: null }, { body }, ...bodies]) {
      expectUnrouted(await sendChecked(unrouted.request, parts), unrouted);
    }
  });

  test.each(OF_EACH_PATH)('$status: $request with a body of any media type', async unrouted => {
    for (const check of mediaTypeChecks(unrouted)) await check.run({ send: sendChecked }, () => {});
  });

  test('404: TRACE is not echoed', async () => {
    for (const Authorization of [undefined, `Bearer ${service.staging.apiKey}`]) {
      const response = await send('TRACE /pets', { headers: { Authorization, 'X-Secret': 'echo' } });
      expectError(response, 404, 'not_found', /for this method/);
      expect(response.text).not.toContain('echo');
    }
  });

  test.each(['application/x-rare', 'no media type'])(
    '415: a body that is %s, on a path without that method and on an unknown path',
    async contentType => {
      for (const request of ['DELETE /pets', 'PUT /pets/1', 'POST /dogs']) {
        const response = await send(request, { headers: { 'Content-Type': contentType }, body: 'x' });
        expectError(response, 415, 'unsupported_media_type');
        expect(response.headers).not.toHaveProperty('allow');
      }
    },
  );
});

describe('HEAD', () => {
  test.each(['GET /pets?limit=0', ...OPEN_REQUESTS, 'GET /dogs'])(
    'returns what %s returns, without the body',
    async request => {
      await expectHeadAsGet(sendChecked, request, {});
    },
  );

  test('401: needs an API key where GET does', async () => {
    for (const Authorization of [undefined, `Bearer ${generateKey('pet_test_')}`]) {
      const { status, text, headers } = await send('HEAD /pets', { headers: { Authorization } });
      expect([status, text]).toEqual([401, '']);
      expect(headers['www-authenticate']).toBe('Bearer realm="petstore"');
    }
  });
});
