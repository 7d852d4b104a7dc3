import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ApiResponse } from '../../../shared/http/response.ts';
import { proxyEvent, REQUEST_ID } from '../proxy-event.ts';

const DOCUMENT = { openapi: '3.1.1', servers: [{ url: 'https://{api}/staging/v1', description: 'Staging' }] };
const FUNCTIONS = ['get-openapi', 'get-reference', 'get-renderer'] as const;
const PATHS = {
  'get-openapi': '/v1/openapi.json',
  'get-reference': '/v1/docs',
  'get-renderer': '/v1/docs/scalar-1.js',
};

/** Stands for the folder of the deployed function, with the files that it serves. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
beforeAll(() => {
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(DOCUMENT));
  writeFileSync(join(folder, 'scalar.js.gz'), gzipSync('render()'));
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
  vi.stubEnv('STAGES_OF_HOST', 'staging');
  vi.stubEnv('RENDERER', 'scalar-1.js');
  vi.stubEnv('OPERATIONS_WITHOUT_TRY_OUT', 'GET/store/orders');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

type Handler = (event: unknown, context: unknown) => Promise<ApiResponse>;

async function responseOf(name: (typeof FUNCTIONS)[number], event: unknown): Promise<ApiResponse> {
  const { handler } = await import(`../../../functions/docs/${name}.ts`);
  return (handler as Handler)(event, {});
}

/** A request without an API key. */
const requestFor = (name: (typeof FUNCTIONS)[number], headers: Record<string, string> = {}) =>
  proxyEvent({ path: PATHS[name], authorizer: null, headers });

describe.each(FUNCTIONS)('%s', name => {
  test('200: without an API key, with the request id and an entity tag', async () => {
    const response = await responseOf(name, requestFor(name));
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'X-Request-Id': REQUEST_ID,
      'X-Content-Type-Options': 'nosniff',
      ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      Vary: 'Accept-Encoding',
    });
    expect(response.headers['Cache-Control']).not.toBe('no-store');
  });

  test('304: the client has it already', async () => {
    const { headers } = await responseOf(name, requestFor(name));
    const again = await responseOf(name, requestFor(name, { 'If-None-Match': headers.ETag ?? '' }));
    expect(again).toMatchObject({ statusCode: 304, body: '', headers });
  });
});

describe('get-renderer', () => {
  test('200: the client prefers plain bytes and also accepts gzip', async () => {
    const headers = { 'Accept-Encoding': 'identity, gzip;q=0.5' };
    expect((await responseOf('get-renderer', requestFor('get-renderer', headers))).statusCode).toBe(200);
  });

  test('200: the script in gzip, as a binary body', async () => {
    const response = await responseOf(
      'get-renderer',
      requestFor('get-renderer', { 'Accept-Encoding': 'gzip' }),
    );
    expect(response).toMatchObject({
      statusCode: 200,
      isBase64Encoded: true,
      headers: {
        'Content-Type': 'text/javascript; charset=utf-8',
        'Content-Encoding': 'gzip',
        'Cache-Control': 'public, max-age=31536000, immutable',
      },
    });
    expect(gunzipSync(Buffer.from(response.body, 'base64')).toString()).toBe('render()');
  });

  test.each(['br', 'identity', 'gzip;q=0', ''])('406: the client accepts %j', async accepted => {
    const request = requestFor('get-renderer', { 'Accept-Encoding': accepted });
    const { statusCode, body, headers } = await responseOf('get-renderer', request);
    expect(statusCode).toBe(406);
    expect(JSON.parse(body)).toMatchObject({
      code: 'not_acceptable',
      message: 'This script is served compressed only: accept the encoding gzip.',
    });
    expect(headers).not.toHaveProperty('Content-Encoding');
  });
});

test.each(['get-openapi', 'get-reference'] as const)(
  '200, 304: %s has one entity tag for its plain and its compressed form',
  async name => {
    const filler = 'x'.repeat(2000);
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...DOCUMENT, info: { filler } }));
    vi.resetModules();
    const plain = await responseOf(name, requestFor(name));
    const compressed = await responseOf(
      name,
      requestFor(name, { accept: '*/*', 'accept-encoding': 'br, gzip' }),
    );
    expect(gunzipSync(Buffer.from(compressed.body, 'base64')).toString()).toBe(plain.body);
    expect(compressed.headers).toEqual({ ...plain.headers, 'Content-Encoding': 'gzip' });
    for (const accepted of ['gzip', 'identity']) {
      const headers = { 'If-None-Match': plain.headers.ETag ?? '', 'Accept-Encoding': accepted };
      const again = await responseOf(name, requestFor(name, headers));
      expect(again).toMatchObject({ statusCode: 304, body: '', headers: plain.headers });
      expect(again.headers).not.toHaveProperty('Content-Encoding');
    }
    writeFileSync(join(folder, 'openapi.json'), JSON.stringify(DOCUMENT));
    vi.resetModules();
  },
);

test('get-openapi names the address that was called and no other, also when called with a slash at the end', async () => {
  for (const path of ['/v1/openapi.json', '/v1/openapi.json/']) {
    const { body } = await responseOf('get-openapi', proxyEvent({ path, authorizer: null }));
    expect(JSON.parse(body)).toEqual({
      ...DOCUMENT,
      servers: [
        {
          url: 'https://api.example.com/staging/v1',
          description: 'Staging: use an API key that starts with pet_test_',
        },
      ],
    });
  }
});

test('get-reference names the document and the renderer by their paths', async () => {
  const { body } = await responseOf('get-reference', requestFor('get-reference'));
  expect(body).toContain('/staging/v1/openapi.json');
  expect(body).toContain('<script src="/staging/v1/docs/scalar-1.js"></script>');
});
