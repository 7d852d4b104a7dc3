import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { sharedService } from '../shared-service.ts';
import { conformance, type SeenResponse } from './conformance.ts';

const REDOCLY = resolve(import.meta.dirname, '../../../node_modules/@redocly/cli/bin/cli.js');

const service = sharedService();
const folder = mkdtempSync(join(tmpdir(), 'petstore-respect-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface HarEntry {
  readonly request: { readonly method: string; readonly url: string };
  readonly response: {
    readonly status: number;
    readonly headers: readonly { readonly name: string; readonly value: string }[];
    readonly content: { readonly text?: string };
  };
}

function seenResponse({ request, response }: HarEntry): SeenResponse {
  return {
    ...request,
    status: response.status,
    headers: Object.fromEntries(response.headers.map(({ name, value }) => [name.toLowerCase(), value])),
    body: response.content.text ?? '',
  };
}

test('every response to the requests of Redocly respect conforms to the document', async () => {
  const { url, apiKey } = service.staging;
  const document = await (await fetch(`${url}/openapi.json`)).text();
  writeFileSync(join(folder, 'openapi.json'), document);
  copyFileSync(join(import.meta.dirname, 'petstore.arazzo.json'), join(folder, 'petstore.arazzo.json'));

  const inputs = ['--input', `apiKey=${apiKey}`];
  const flags = ['--har-output', 'responses.har', '--verbose', '--no-secrets-masking'];
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    [REDOCLY, 'respect', 'petstore.arazzo.json', ...inputs, ...flags],
    {
      cwd: folder,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  ).catch(failure => Promise.reject(new Error(`${failure.stdout}\n${failure.stderr}`)));
  expect(`${stdout}${stderr}`).toMatch(/Workflows: \d+ passed, \d+ total/);

  const { log } = JSON.parse(readFileSync(join(folder, 'responses.har'), 'utf8'));
  const entries: HarEntry[] = log.entries;
  expect(entries.length).toBeGreaterThan(8);
  const faults = conformance(JSON.parse(document));
  expect(entries.flatMap(entry => faults(seenResponse(entry)))).toEqual([]);
});
