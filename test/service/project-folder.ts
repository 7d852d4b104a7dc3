import { cpSync, mkdirSync, mkdtempSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { compileCacheOf, PROJECT } from './running-service.ts';

/** Written anew by every npm pack, perhaps by a test at the same time. */
const CLIENT_DIST = join(PROJECT, 'infra', 'client', 'dist');

/**
 * Copies the project into a temporary folder, with its own data and with sources that may be changed. The folder already
 * has the assembly of the unchanged sources, and what was compiled of them. The caller removes it.
 */
export function projectFolder(assembly: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-copy-'));
  for (const name of ['cdk.json', 'package.json', 'package-lock.json', 'infra', 'functions', 'shared']) {
    cpSync(join(PROJECT, name), join(folder, name), {
      recursive: true,
      filter: path => path !== CLIENT_DIST,
    });
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(folder, 'node_modules'));
  mkdirSync(compileCacheOf(PROJECT), { recursive: true });
  cpSync(assembly, join(folder, '.cache', 'assemblies', basename(assembly)), { recursive: true });
  symlinkSync(compileCacheOf(PROJECT), compileCacheOf(folder));
  return folder;
}
