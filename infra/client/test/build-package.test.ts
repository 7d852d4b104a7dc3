import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildPackage } from '../build/build-package.ts';

test('a build has a declaration for each source and one module, whatever an earlier one left', () => {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-client-build-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const dist = join(folder, 'dist');
  buildPackage(dist);
  writeFileSync(join(dist, 'removed-source.d.ts'), '');
  buildPackage(dist);
  const sources = readdirSync(join(import.meta.dirname, '../src'));
  const declarations = sources.map(name => name.replace(/\.ts$/, '.d.ts'));
  expect(readdirSync(dist).toSorted()).toEqual([...declarations, 'petstore-client.js'].toSorted());
  expect(readdirSync(folder)).toEqual(['dist']);
});
