import { describe, expect, test } from 'vitest';
import { generateKey } from '../../shared/api-keys/api-key.ts';
import { OPERATIONS, requestLine } from '../../shared/operations.ts';
import { client, expectError } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const REFUSED_KEYS: [title: string, header: (own: string) => string | undefined][] = [
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
];

describe('authentication', () => {
  const send = client(() => service.staging);

  test.each(REFUSED_KEYS)('401: %s', async (_title, header) => {
    const Authorization = header(service.staging.apiKey);
    for (const operation of OPERATIONS.map(requestLine)) {
      const body = operation.startsWith('POST') ? { name: 'Rex', categoryId: 1 } : undefined;
      const response = await send(operation, { headers: { Authorization }, body });
      expectError(response, 401, 'unauthorized');
      expect(response.text).toBe(
        '{"code":"unauthorized","message":"The API key is missing or invalid.","status":401}',
      );
      expect(response.headers['www-authenticate']).toBe('Bearer realm="petstore"');
    }
  });

  test('401: two Authorization headers, though both have a valid key', async () => {
    const own = `Bearer ${service.staging.apiKey}`;
    const headers = { Authorization: [own, own] };
    for (const operation of OPERATIONS.map(requestLine)) {
      const body = operation.startsWith('POST') ? { name: 'Rex', categoryId: 1 } : undefined;
      const response = await send(operation, { headers, body });
      expectError(response, 401, 'unauthorized', /^The API key is missing or invalid\.$/);
      // API Gateway keeps this header of functions to itself.
      expect(response.headers['x-amzn-remapped-www-authenticate']).toBe('Bearer realm="petstore"');
    }
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
  const send = client(() => service.staging);
  const headers = { 'X-Request-Id': 'chosen-by-client', 'x-amzn-RequestId': 'chosen-by-client' };
  for (const request of ['GET /pets', 'GET /pets/1', 'GET /nothing', 'PUT /pets']) {
    expect((await send(request, { headers })).headers['x-request-id']).not.toContain('chosen');
  }
});
