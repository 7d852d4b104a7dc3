import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { client, expectError } from './http-client.ts';
import { newApiKey, operate } from './operator.ts';
import { ENVIRONMENTS, type RunningService, startService } from './running-service.ts';

let service: RunningService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const OPERATIONS = ['GET /pets', 'POST /pets', 'GET /pets/1', 'GET /store/orders'];

const REFUSED_KEYS: [title: string, header: (own: string, other: string) => string | undefined][] = [
  ['no header', () => undefined],
  ['an empty header', () => ''],
  ['the scheme alone', () => 'Bearer'],
  ['an empty key', () => 'Bearer '],
  ['the key without a scheme', own => own],
  ['another scheme', own => `Basic ${own}`],
  ['a scheme that only starts alike', own => `Bearer2 ${own}`],
  ['two keys', own => `Bearer ${own} ${own}`],
  ['a key with something in front', own => `Bearer x${own}`],
  ['a key with something behind', own => `Bearer ${own}x`],
  ['a key that lacks its end', own => `Bearer ${own.slice(0, -1)}`],
  ['a checksum that does not fit', own => `Bearer ${own.slice(0, -1)}${own.endsWith('0') ? '1' : '0'}`],
  ['a typo', own => `Bearer ${own.slice(0, 12)}${own[12] === 'a' ? 'b' : 'a'}${own.slice(13)}`],
  ['a well-formed key that nobody has', own => `Bearer ${generateKey(own.slice(0, 'pet_live_'.length))}`],
  ['a key of the other environment', (_own, other) => `Bearer ${other}`],
];

describe.each(ENVIRONMENTS)('authentication in %s', environment => {
  const send = client(() => service[environment]);
  const other = environment === 'production' ? 'staging' : 'production';

  test.each(REFUSED_KEYS)('401: %s', async (_title, header) => {
    const Authorization = header(service[environment].apiKey, service[other].apiKey);
    for (const operation of OPERATIONS) {
      const body = operation.startsWith('POST') ? { name: 'Rex', categoryId: 1 } : undefined;
      const answer = await send(operation, { headers: { Authorization }, body });
      expectError(answer, 401, 'unauthorized');
      expect(answer.text).toBe(
        '{"code":"unauthorized","message":"The API key is missing or invalid.","status":401}',
      );
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    }
  });

  test('401: before anything is said about the request', async () => {
    const headers = { Authorization: undefined };
    expectError(await send('GET /pets?limit=0', { headers }), 401, 'unauthorized');
    expectError(await send('POST /pets', { headers, body: 'no JSON' }), 401, 'unauthorized');
  });

  test('200: the scheme in any case, spaces around the key', async () => {
    const { apiKey } = service[environment];
    for (const Authorization of [`bearer ${apiKey}`, `BEARER ${apiKey}`, `Bearer   ${apiKey}  `]) {
      expect((await send('GET /pets', { headers: { Authorization } })).status).toBe(200);
    }
  });

  test('200: a key that an operator made by aws lambda invoke, from the first moment', async () => {
    const reply = await operate(service.awsEndpoint, environment, { command: 'keys.create', name: 'Acme' });
    const prefix = environment === 'production' ? 'pet_live_' : 'pet_test_';
    const key = expect.stringMatching(`^${prefix}[0-9A-Za-z]{34}$`);
    expect(reply).toMatchObject({ ok: true, result: { name: 'Acme', key } });
    const { key: apiKey } = reply.result as { key: string };
    expect((await send('GET /pets', { headers: { Authorization: `Bearer ${apiKey}` } })).status).toBe(200);
  });
});

test('an operator is told what is wrong with a command', async () => {
  const refusal = (message: string) => ({ ok: false, error: { code: 'invalid_request', message } });
  const ask = (payload: unknown) => operate(service.awsEndpoint, 'staging', payload);
  const listsCommands = expect.stringMatching(
    /^command must be one of audit\.list, .*keys\.create, .*projects\.show$/,
  );
  expect(await ask({})).toEqual(refusal(listsCommands));
  expect(await ask({ command: 'keys.make' })).toEqual(refusal(listsCommands));
  expect(await ask({ command: 'keys.create' })).toEqual(refusal('name is required'));
});

describe.each(ENVIRONMENTS)('paths and methods in %s', environment => {
  const send = client(() => service[environment]);

  test('404: unknown paths, inside /v1 and outside', async () => {
    const { url } = service[environment];
    const outside = url.slice(0, -'/v1'.length);
    const paths = [
      ...['', '/', '/dogs', '/pets/1/name', '/pets//', '/Pets', '/store', '/store/orders/1'],
      ...[outside, `${outside}/`, `${outside}/pets`, `${outside}/v2/pets`, `${outside}//v1/pets`],
    ];
    for (const path of paths) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        expectError(await send(`${method} ${path}`), 404, 'not_found');
      }
      expectError(await send(`GET ${path}`, { headers: { Authorization: undefined } }), 404, 'not_found');
    }
  });

  test('400: a percent sign that encodes nothing', async () => {
    expectError(await send('GET /pets?limit=%zz'), 400, 'invalid_request');
    expectError(await send('GET /pets/%zz'), 400, 'invalid_request');
  });

  test('400: more headers than the gateway takes', async () => {
    const answer = await send('GET /pets', { headers: { 'X-Long': 'x'.repeat(11_000) } });
    expectError(answer, 400, 'invalid_request');
  });

  const RESOURCES: [path: string, allow: string, others: string[]][] = [
    ['/pets', 'GET, POST', ['PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/pets/1', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
    ['/store/orders', 'GET', ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']],
  ];

  test.each(RESOURCES)('405: other methods on %s, which allows %s', async (path, allow, others) => {
    for (const method of others) {
      for (const Authorization of [undefined, `Bearer ${service[environment].apiKey}`]) {
        const answer = await send(`${method} ${path}`, { headers: { Authorization } });
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.headers.allow).toBe(allow);
      }
    }
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/x-www-form-urlencoded',
    'application/octet-stream',
    'application/xml',
    'multipart/form-data; boundary=x',
    'text/plain',
    undefined,
  ])('405: other methods with a body that is %s', async contentType => {
    for (const [path, allow, others] of RESOURCES) {
      for (const method of others) {
        const answer = await send(`${method} ${path}`, {
          headers: { 'Content-Type': contentType },
          body: 'name=Rex',
        });
        expectError(answer, 405, 'method_not_allowed');
        expect(answer.headers.allow).toBe(allow);
      }
    }
  });

  test.each(RESOURCES)('405: HEAD on %s, without a body', async (path, allow) => {
    const answer = await send(`HEAD ${path}`);
    expect([answer.status, answer.headers.allow, answer.text]).toEqual([405, allow, '']);
  });
});

test('X-Request-Id: the service gives it, the client cannot choose it', async () => {
  const send = client(() => service.staging);
  const headers = { 'X-Request-Id': 'chosen-by-client', 'x-amzn-RequestId': 'chosen-by-client' };
  for (const request of ['GET /pets', 'GET /pets/1', 'GET /nothing', 'PUT /pets']) {
    expect((await send(request, { headers })).headers['x-request-id']).not.toContain('chosen');
  }
});

test('what is in one environment is not in the other', async () => {
  const staging = client(() => service.staging);
  const production = client(() => service.production);
  await staging('POST /pets', { body: { name: 'Only here', categoryId: 1 } });
  expect((await staging('GET /pets')).text).toContain('Only here');
  expect((await production('GET /pets')).text).not.toContain('Only here');
});

test('a key is for its environment, whoever made it', async () => {
  const apiKey = await newApiKey(service.awsEndpoint, 'staging');
  const headers = { Authorization: `Bearer ${apiKey}` };
  expect((await client(() => service.staging)('GET /pets', { headers })).status).toBe(200);
  expect((await client(() => service.production)('GET /pets', { headers })).status).toBe(401);
});
