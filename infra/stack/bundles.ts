import { cpSync, globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { buildSync } from 'esbuild';
import { cachedFolder } from '../source-cache.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** The files that the bundles depend on. Packages change only with the lock file. */
const SOURCES = ['functions/**/*.ts', 'shared/**/*.ts', 'infra/stack/bundles.ts', 'package-lock.json'];

/** Files that are deployed beside a function's code, by name. */
export type ShippedFiles = Readonly<Record<string, string | Uint8Array>>;

let bundleFolder: string | undefined;

/** The deployable code of the function at functions/<path>.ts: index.cjs, and beside it the files that it reads. */
export function functionCode(path: string, files: ShippedFiles = {}): Code {
  bundleFolder ??= bundledFunctions();
  const bundle = join(bundleFolder, path);
  return Code.fromAsset(Object.keys(files).length > 0 ? withFiles(bundle, files) : bundle);
}

/** A copy of a bundle with files beside it. */
function withFiles(bundle: string, files: ShippedFiles): string {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-function-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  cpSync(bundle, folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** The folder of all bundles of the current sources; bundles them unless they are in the cache. */
function bundledFunctions(): string {
  const bundles = cachedFolder('bundles', SOURCES);
  if (!bundles.isComplete) {
    bundleAllFunctions(bundles.unfinished);
    bundles.complete();
  }
  return bundles.folder;
}

/** Parts of the SDK that a function on Lambda does not use, and what the bundles have in their place. */
const SUBSTITUTES = {
  '@aws-sdk/credential-provider-node': './shared/aws/substitutes/environment-credentials.ts',
  '@aws-sdk/middleware-endpoint-discovery': './shared/aws/substitutes/no-endpoint-discovery.ts',
  '@smithy/core/checksum': './shared/aws/sha256.ts',
  '@smithy/core/event-streams': './shared/aws/substitutes/no-event-streams.ts',
  '@smithy/node-http-handler': './shared/aws/substitutes/node-http-handler.ts',
  'node:fs/promises': './shared/aws/substitutes/no-profile-files.ts',
};

/**
 * Bundles all functions in one run of esbuild, which takes less time than one run per function.
 *
 * The output is CommonJS, because importing node:http as an ES module loads undici and doubles the time of a cold start.
 * The input is the SDK's ES modules, because esbuild cannot tree-shake CommonJS.
 */
function bundleAllFunctions(outdir: string): void {
  const paths = globSync('**/*.ts', { cwd: join(PROJECT, 'functions') }).map(file =>
    file.slice(0, -'.ts'.length),
  );
  buildSync({
    absWorkingDir: PROJECT,
    entryPoints: paths.map(path => ({ in: `functions/${path}.ts`, out: `${path}/index` })),
    outdir,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
    mainFields: ['module', 'main'],
    alias: SUBSTITUTES,
    // The SDK imports node:http dynamically; compiled to a require, that does not load undici either.
    supported: { 'dynamic-import': false },
    legalComments: 'none',
    logLevel: 'warning',
  });
}
