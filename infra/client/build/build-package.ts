import { execFileSync } from 'node:child_process';
import { copyFileSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

/** Runs before npm pack: writes the module and its declarations to dist, and puts the license beside them. */
const PACKAGE = resolve(import.meta.dirname, '..');
const PROJECT = resolve(PACKAGE, '../..');
const dist = join(PACKAGE, 'dist');

rmSync(dist, { recursive: true, force: true });
buildSync({
  entryPoints: [join(PACKAGE, 'src/petstore-client.ts')],
  outdir: dist,
  bundle: true,
  format: 'esm',
  target: 'es2022',
  // Names are kept, so that a stack trace can be read; bundlers shorten them.
  minifyWhitespace: true,
  minifySyntax: true,
});
const tsc = join(PROJECT, 'node_modules/typescript/bin/tsc');
execFileSync(
  process.execPath,
  [tsc, '-p', PACKAGE, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly'],
  { stdio: 'inherit' },
);
copyFileSync(join(PROJECT, 'LICENSE'), join(PACKAGE, 'LICENSE'));
