import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DOCUMENTED_BASE_URL } from '../../../shared/docs/servers.ts';
import type { ApiResponse } from '../../../shared/http/response.ts';
import { proxyEvent, REQUEST_ID } from '../proxy-event.ts';

const SAMPLE = `KEY=pet_live_… curl ${DOCUMENTED_BASE_URL}/pets`;
const CALLED_SAMPLE = 'KEY=pet_test_… curl https://api.example.com/staging/v1/pets';
const DOCUMENT = { openapi: '3.1.1', servers: [{ url: 'https://{api}/staging/v1', description: 'Staging' }] };
const FUNCTIONS = { 'get-openapi': '/v1/openapi.json', 'get-reference': '/v1/docs' } as const;
type Name = keyof typeof FUNCTIONS;
const NAMES = Object.keys(FUNCTIONS) as Name[];

/** Stands for the folder of the deployed function, with the files that it serves. */
const folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
const filler = 'x'.repeat(2000);
beforeAll(() => {
  const info = { description: SAMPLE, filler };
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify({ ...DOCUMENT, info }));
  const page = `<select><option></option></select>${SAMPLE}${filler}`;
  writeFileSync(join(folder, 'reference.html'), page);
  vi.stubEnv('LAMBDA_TASK_ROOT', folder);
  vi.stubEnv('STAGES_OF_HOST', 'staging');
  vi.stubEnv('CONTENT_SECURITY_POLICY', "default-src 'none'");
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

type Handler = (event: unknown, context: unknown) => Promise<ApiResponse>;

/** The response to a request without an API key. */
async function responseOf(name: Name, request: object = {}): Promise<ApiResponse> {
  const { handler } = await import(`../../../functions/docs/${name}.ts`);
  return (handler as Handler)(proxyEvent({ path: FUNCTIONS[name], authorizer: null, ...request }), {});
}

describe.each(NAMES)('%s', name => {
  test('200: without an API key, with the request id and an entity tag', async () => {
    const response = await responseOf(name);
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({
      'X-Request-Id': REQUEST_ID,
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': 'public, max-age=60',
      ETag: expect.stringMatching(/^W\/"[\w-]{22}"$/),
      Vary: 'Accept-Encoding',
    });
  });
});

const DESCRIPTION = 'Staging: use an API key that starts with pet_test_';

test('get-openapi names the called URL and no other, also when called with a slash at the end', async () => {
  for (const path of ['/v1/openapi.json', '/v1/openapi.json/']) {
    const { body } = await responseOf('get-openapi', { path });
    expect(JSON.parse(body)).toEqual({
      ...DOCUMENT,
      info: { description: CALLED_SAMPLE, filler },
      servers: [{ url: 'https://api.example.com/staging/v1', description: DESCRIPTION }],
    });
  }
});

test('get-reference has samples for the called URL, offers it, and escapes it', async () => {
  const { body, headers } = await responseOf('get-reference');
  const option = `<option value="https://api.example.com/staging/v1">${DESCRIPTION}</option>`;
  expect(body).toBe(`<select>${option}</select>${CALLED_SAMPLE}${filler}`);
  expect(headers['Content-Security-Policy']).toBe("default-src 'none'");
  const odd = await responseOf('get-reference', { path: '/"><script>/docs' });
  expect(odd.body).not.toContain('<script>');
});
