import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'petstore-openapi-'));
const run = promisify(execFile);
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

beforeAll(async () => {
  await run(process.execPath, [
    join(PROJECT, 'infra/openapi/write-document.ts'),
    join(folder, 'openapi.json'),
  ]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('Redocly finds no error and no warning by its strict rules', async () => {
  const cli = join(PROJECT, 'node_modules/@redocly/cli/bin/cli.js');
  const { stderr } = await run(
    process.execPath,
    [cli, 'lint', '--extends', 'recommended-strict', 'openapi.json'],
    { cwd: folder, env },
  );
  expect(stderr).toContain('Your API description is valid');
});
