import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { EXAMPLE_NEW_PET, EXAMPLE_PET } from '../../infra/openapi/pets.ts';
import { OPERATIONS } from '../../shared/operations.ts';
import { conformance, type OpenApiDocument } from './conformance/conformance.ts';
import { allPets, client } from './http-client.ts';
import { operate } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.staging.url}${path}`, { headers });

describe('GET /openapi.json', () => {
  test('200: the document, without a key, with the URLs of both environments on this machine, its own first', async () => {
    for (const stage of ['production', 'staging'] as const) {
      const { url } = service[stage];
      const response = await fetch(`${url}/openapi.json`);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('application/json');
      expect(response.headers.get('cache-control')).toBe('public, max-age=60');
      const { servers, info, paths } = (await response.json()) as OpenApiDocument;
      expect(servers.map(server => server.url)).toEqual([
        url,
        service[stage === 'staging' ? 'production' : 'staging'].url,
      ]);
      expect(info.version).toBe('1.0.0');
      expect(Object.keys(paths)).toEqual(Object.keys(openApiDocument().paths ?? {}));
    }
  });

  test('200: the document is compressed where the client accepts it, and keeps the digits of int64', async () => {
    const plain = await get('/openapi.json', { 'Accept-Encoding': 'identity' });
    const compressed = await get('/openapi.json', { 'Accept-Encoding': 'gzip' });
    expect(plain.headers.has('content-encoding')).toBe(false);
    expect(compressed.headers.get('content-encoding')).toBe('gzip');
    const bytes = Number(plain.headers.get('content-length'));
    expect(Number(compressed.headers.get('content-length'))).toBeLessThan(bytes / 3);
    const text = await plain.text();
    expect(text).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
    // fetch has decompressed it.
    expect(await compressed.text()).toBe(text);
  });

  test('304: the client has the document already', async () => {
    const etag = (await get('/openapi.json')).headers.get('etag') ?? '';
    const again = await get('/openapi.json', { 'If-None-Match': etag });
    expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  });
});

describe('GET /docs', () => {
  test('200: a page that loads nothing, in at most 20 KB on the wire', async () => {
    for (const path of ['/docs', '/docs/']) {
      const response = await get(path, { 'Accept-Encoding': 'gzip' });
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(response.headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; script-src 'sha256-/,
      );
      expect(Number(response.headers.get('content-length'))).toBeLessThan(20_000);
      const text = await response.text();
      expect(text).toContain(`${service.staging.url}</span>/pets?limit=20`);
      expect(text).not.toMatch(/ src="|<link rel="stylesheet"|execute-api/);
    }
  });
});

describe('the samples of the document run as they are printed', () => {
  const run = promisify(execFile);
  const interpreters: Record<string, (source: string) => [command: string, ...arguments: string[]]> = {
    curl: source => ['sh', '-c', source],
    'Node.js': source => [process.execPath, '--input-type=module', '-e', source],
    'petstore-client': source => [process.execPath, '--input-type=module', '-e', source],
    Python: source => ['python3', '-c', source],
  };

  test.each(OPERATIONS)('$name', async ({ method, path }) => {
    const { url, apiKey } = service.staging;
    const petId = await createdPet();
    const document = (await (await get('/openapi.json')).json()) as OpenApiDocument;
    const operation = document.paths[path]?.[method.toLowerCase()] as unknown as {
      'x-codeSamples': { label: string; source: string }[];
    };
    expect(operation['x-codeSamples'].map(({ label }) => label)).toEqual(Object.keys(interpreters));
    for (const { label, source } of operation['x-codeSamples']) {
      expect(source).toContain(url);
      const [command, ...parameters] = interpreters[label]?.(source) ?? [''];
      const env = { ...process.env, KEY: apiKey, PET_ID: petId };
      const { stdout } = await run(command, parameters, { env });
      expect([label, stdout]).toEqual([label, expect.not.stringContaining('"code"')]);
      if (path !== '/store/orders') expect([label, stdout]).toEqual([label, expect.stringContaining('Rex')]);
    }
  });

  async function createdPet(): Promise<string> {
    const { url, apiKey } = service.staging;
    const response = await fetch(`${url}/pets`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(EXAMPLE_NEW_PET),
    });
    return String(((await response.json()) as { id: number }).id);
  }
});

/** The examples of a response of the document, by their names. */
function examples(path: string, method: 'get' | 'post', status: number): Record<string, unknown> {
  const response = openApiDocument().paths?.[path]?.[method]?.responses?.[status] as {
    content: { 'application/json': { examples: Record<string, { value: unknown }> } };
  };
  const named = Object.entries(response.content['application/json'].examples);
  return Object.fromEntries(named.map(([name, { value }]) => [name, value]));
}

describe('the service responds with the examples of the document', () => {
  interface Call {
    readonly call: string;
    readonly body?: unknown;
    readonly headers?: Record<string, string>;
    readonly key?: string;
  }

  async function responseTo({ call, body, headers, key = service.production.apiKey }: Call) {
    const [method = '', path = ''] = call.split(' ');
    const response = await fetch(`${service.production.url}${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const document = (await (
      await fetch(`${service.production.url}/openapi.json`)
    ).json()) as OpenApiDocument;
    const seen = { method, url: response.url, status: response.status, body: text };
    expect(conformance(document)({ ...seen, headers: Object.fromEntries(response.headers) })).toEqual([]);
    return JSON.parse(text);
  }

  test('201, 200: a pet that is created, got and listed', async () => {
    const created = await responseTo({ call: 'POST /pets', body: EXAMPLE_NEW_PET });
    const { id } = created;
    expect({ ...created, id: EXAMPLE_PET.id }).toEqual(examples('/pets', 'post', 201).pet);
    expect(await responseTo({ call: `GET /pets/${id}` })).toEqual({
      ...(examples('/pets/{petId}', 'get', 200).pet as object),
      id,
    });
    expect(await responseTo({ call: 'GET /pets?limit=1' })).toHaveLength(1);
    const pets = await allPets(client(() => service.production));
    const listed = pets.find(pet => pet.id === id);
    expect([{ ...listed, id: EXAMPLE_PET.id }]).toEqual(examples('/pets', 'get', 200).page);
  });

  const mistakes: [string, string, 'get' | 'post', number, Call][] = [
    ['invalid_request', '/pets', 'get', 400, { call: 'GET /pets?limit=0' }],
    ['invalid_cursor', '/pets', 'get', 400, { call: 'GET /pets?cursor=mine' }],
    ['unauthorized', '/pets', 'get', 401, { call: 'GET /pets', key: 'none' }],
    ['invalid_request', '/pets', 'post', 400, { call: 'POST /pets', body: { categoryId: '1' } }],
    ['payload_too_large', '/pets', 'post', 413, { call: 'POST /pets', body: 'x'.repeat(16_385) }],
    [
      'unsupported_media_type',
      '/pets',
      'post',
      415,
      { call: 'POST /pets', body: 'Rex', headers: { 'Content-Type': 'text/plain' } },
    ],
    ['not_found', '/pets/{petId}', 'get', 404, { call: 'GET /pets/1' }],
  ];
  test.each(mistakes)('%s: %s, %s %i', async (code, path, method, status, call) => {
    expect(await responseTo(call)).toEqual(examples(path, method, status)[code]);
  });

  test('idempotency_mismatch: /pets, post 422', async () => {
    const headers = { 'Idempotency-Key': 'example' };
    await responseTo({ call: 'POST /pets', body: EXAMPLE_NEW_PET, headers });
    const other = await responseTo({
      call: 'POST /pets',
      body: { ...EXAMPLE_NEW_PET, name: 'Max' },
      headers,
    });
    expect(other).toEqual(examples('/pets', 'post', 422).idempotency_mismatch);
  });

  test('forbidden: /pets, get and post 403', async () => {
    const command = { command: 'keys.create', name: 'Orders only', scopes: ['orders:read'] };
    const { result } = await operate(service, 'production', command);
    const { key } = result as { key: string };
    expect(await responseTo({ call: 'GET /pets', key })).toEqual(examples('/pets', 'get', 403).forbidden);
    expect(await responseTo({ call: 'POST /pets', key, body: EXAMPLE_NEW_PET })).toEqual(
      examples('/pets', 'post', 403).forbidden,
    );
  });
});
