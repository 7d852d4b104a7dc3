import { cpSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { compileCacheOf, PROJECT } from './running-service.ts';

/** Rewritten by every npm pack, perhaps by a test at the same time. */
const CLIENT_DIST = join(PROJECT, 'infra', 'client', 'dist');

/**
 * Copies the project into a temporary folder, with its own data and with sources that may be changed. The folder already
 * has the assembly and the bundles of the unchanged sources, and what was compiled of them. The caller removes it.
 */
export function projectFolder(assembly: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-copy-'));
  for (const name of [
    ...['cdk.json', 'package.json', 'package-lock.json', 'tsconfig.json', 'infra', 'functions', 'shared'],
  ]) {
    cpSync(join(PROJECT, name), join(folder, name), {
      recursive: true,
      filter: path => path !== CLIENT_DIST,
    });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(compileCacheOf(PROJECT), { recursive: true });
  cpSync(assembly, join(folder, '.cache', 'assemblies', basename(assembly)), { recursive: true });
  linkBundles(folder);
  symlinkSync(compileCacheOf(PROJECT), compileCacheOf(folder));
  return folder;
}

/** So that only what a test changes is bundled again. */
function linkBundles(folder: string): void {
  const bundles = join(PROJECT, '.cache', 'bundles');
  const copied = join(folder, '.cache', 'bundles');
  mkdirSync(copied);
  for (const name of readdirSync(bundles)) {
    if (!name.includes('.')) symlinkSync(join(bundles, name), join(copied, name));
  }
}
