import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const PACKAGE = resolve(import.meta.dirname, '..');
const TSC = resolve(PACKAGE, '../../node_modules/typescript/bin/tsc');

/** Where the package has its module and declarations. */
const DIST = join(PACKAGE, 'dist');

/**
 * Writes the module and its declarations. Nothing is shortened, so that a stack trace can be read; bundlers do that. Files
 * are replaced one by one: another build, or a program that uses the package, may run at the same time.
 */
export function buildPackage(dist = DIST): void {
  const unfinished = `${dist}.${process.pid}`;
  buildSync({
    absWorkingDir: PACKAGE,
    entryPoints: [join(PACKAGE, 'src/petstore-client.ts')],
    outdir: unfinished,
    bundle: true,
    format: 'esm',
    target: 'es2022',
  });
  const declarations = [
    '--noEmit',
    'false',
    '--declaration',
    '--emitDeclarationOnly',
    '--outDir',
    unfinished,
  ];
  execFileSync(process.execPath, [TSC, '-p', PACKAGE, ...declarations], { stdio: 'inherit' });
  const files = readdirSync(unfinished);
  mkdirSync(dist, { recursive: true });
  for (const file of files) renameSync(join(unfinished, file), join(dist, file));
  for (const file of readdirSync(dist)) {
    if (!files.includes(file)) rmSync(join(dist, file), { force: true });
  }
  rmSync(unfinished, { recursive: true });
}

// npm pack runs this file (prepack).
if (import.meta.main) buildPackage();
