import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, type TestOptions, test } from 'vitest';
import { buildPackage } from '../../infra/client/build/build-package.ts';
import { openApiDocument } from '../../infra/openapi/document.ts';
import { EXAMPLE_NEW_PET } from '../../infra/openapi/pets.ts';
import type { OperationDeclaration } from '../../shared/operation-declaration.ts';
import { OPERATIONS } from '../../shared/operations.ts';
import { needsTool } from '../machine.ts';
import { client, created } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Record<string, Record<string, { 'x-codeSamples'?: { label: string; source: string }[] }>>;
}

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

  test('200, 304: the document keeps the digits of int64; a client that has it gets none, compressed or not', async () => {
    const response = await get('/openapi.json', { 'Accept-Encoding': 'gzip' });
    expect(await response.text()).toContain('"minimum":-9223372036854775808,"maximum":9223372036854775807');
    const etag = response.headers.get('etag') ?? '';
    const again = await get('/openapi.json', { 'If-None-Match': etag, 'Accept-Encoding': 'identity' });
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

type Interpreter = (source: string) => [command: string, ...parameters: string[]];
const inNode: Interpreter = source => [process.execPath, '--input-type=module', '-e', source];

describe('the samples of the document run as they are printed', () => {
  beforeAll(() => buildPackage());

  const run = promisify(execFile);
  const languages: Record<string, { readonly by: Interpreter; readonly options: TestOptions }> = {
    curl: { by: source => ['sh', '-c', source], options: needsTool('curl') },
    'Node.js': { by: inNode, options: {} },
    'petstore-client': { by: inNode, options: {} },
    Python: { by: source => ['python3', '-c', source], options: needsTool('Python') },
  };

  async function samplesOf({ method, path }: OperationDeclaration) {
    const { paths } = (await (await get('/openapi.json')).json()) as OpenApiDocument;
    return paths[path]?.[method.toLowerCase()]?.['x-codeSamples'] ?? [];
  }

  test.each(OPERATIONS)('$name has one in each language', async operation => {
    const labels = (await samplesOf(operation)).map(({ label }) => label);
    expect(labels).toEqual(Object.keys(languages));
  });

  describe.each(Object.entries(languages))('in %s', (language, { by, options }) => {
    test.each(OPERATIONS)('$name', options, async operation => {
      const { name, path, success } = operation;
      const { url, apiKey } = service.staging;
      const { id } = await created(
        client(() => service.staging),
        EXAMPLE_NEW_PET,
      );
      const { source = '' } = (await samplesOf(operation)).find(({ label }) => label === language) ?? {};
      expect(source).toContain(url);
      const [command, ...parameters] = by(source);
      const env = { ...process.env, KEY: apiKey, PET_ID: String(id) };
      const { stdout } = await run(command, parameters, { env });
      expect(stdout).not.toContain('"code"');
      // A page of the list has pets of other files; orders there may be none.
      const isOfOnePet = /^(create|get)Pet$/.test(name);
      if (path.startsWith('/pets') && success !== 204)
        expect(stdout).toContain(isOfOnePet ? 'Rex' : 'categoryId');
    });
  });
});
