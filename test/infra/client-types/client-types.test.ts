import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';

const PROJECT = resolve(import.meta.dirname, '../../..');
const run = promisify(execFile);

/** The TypeScript example of the workspace's README. */
function readmeExample(): string {
  const [, example] =
    /```ts\n(import type \{ paths \}[\s\S]*?)```/.exec(
      readFileSync(join(PROJECT, 'infra/client-types/README.md'), 'utf8'),
    ) ?? [];
  if (!example) throw new Error('The README has no TypeScript example.');
  return example;
}

test('the example of the README compiles with the types that openapi-typescript makes of the document', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const document = join(folder, 'openapi.json');
  await run(process.execPath, [join(PROJECT, 'infra/openapi/write-document.ts'), document]);
  const generator = join(PROJECT, 'infra/client-types/node_modules/openapi-typescript/bin/cli.js');
  await run(process.execPath, [generator, document, '--output', join(folder, 'petstore.d.ts')]);

  writeFileSync(join(folder, 'package.json'), '{"type": "module"}');
  const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--lib', 'es2024,dom', '--types', ''];
  const compile = async (example: string) => {
    writeFileSync(join(folder, 'example.ts'), example);
    return run(process.execPath, [tsc, ...options, 'example.ts'], { cwd: folder }).then(
      () => '',
      ({ stdout }) => stdout,
    );
  };
  expect(await compile(readmeExample())).toBe('');
  // What the document does not allow does not compile.
  expect(await compile(readmeExample().replace("'available'", "'lost'"))).toContain('\'"lost"\'');
});
