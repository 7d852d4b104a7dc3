import { join, resolve } from 'node:path';
import { buildSync } from 'esbuild';

const PROJECT = resolve(import.meta.dirname, '../../..');
const PEERS = 'test/bench/peers';

/** CommonJS packages inside an ES module call `require`. This banner, common among users of esbuild, defines it. */
const REQUIRE = "import { createRequire } from 'node:module';const require = createRequire(import.meta.url);";

/** Bundles each peer as one minified ES module; returns the path of a bundle by its source, such as `bare/get-pet`. */
export function bundlePeers(outputFolder: string): (peer: string) => string {
  buildSync({
    absWorkingDir: PROJECT,
    entryPoints: [
      'bare/list-pets',
      'bare/create-pet',
      'bare/get-pet',
      'hono/app',
      'express/app',
      'powertools/app',
    ].map(peer => ({ in: `${PEERS}/${peer}.ts`, out: peer })),
    outdir: outputFolder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'esm',
    mainFields: ['module', 'main'],
    banner: { js: REQUIRE },
    legalComments: 'none',
    logLevel: 'warning',
  });
  return peer => join(outputFolder, `${peer}.mjs`);
}
