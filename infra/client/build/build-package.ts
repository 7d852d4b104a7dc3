import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const PACKAGE = resolve(import.meta.dirname, '..');
const TSC = resolve(PACKAGE, '../../node_modules/typescript/bin/tsc');

/** Where the package has its module and declarations. They are kept in Git, so that npm can install the folder as it is. */
export const DIST = join(PACKAGE, 'dist');

/** Writes the module and its declarations. Nothing is shortened, so that a stack trace can be read; bundlers do that. */
export function buildPackage(dist = DIST): void {
  rmSync(dist, { recursive: true, force: true });
  buildSync({
    absWorkingDir: PACKAGE,
    entryPoints: [join(PACKAGE, 'src/petstore-client.ts')],
    outdir: dist,
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
  const declarations = ['--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', dist];
  execFileSync(process.execPath, [TSC, '-p', PACKAGE, ...declarations], { stdio: 'inherit' });
}
