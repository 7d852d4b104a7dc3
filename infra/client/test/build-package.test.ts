import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildPackage, DIST } from '../build/build-package.ts';

const filesOf = (folder: string) =>
  Object.fromEntries(readdirSync(folder).map(name => [name, readFileSync(join(folder, name), 'utf8')]));

test('the built package is that of the sources: npm run client writes it', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-dist-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  buildPackage(folder);
  expect(filesOf(DIST)).toEqual(filesOf(folder));
});
