import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { cachedFolder } from '../source-cache.ts';
import { bundleFunctions, COMMON_SOURCES } from './bundle-functions.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** The files that the bundles depend on. */
const SOURCES = [...COMMON_SOURCES, 'functions/**/*.ts', 'shared/**/*.ts', 'infra/stack/bundle-functions.ts'];

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

/** The folder of all bundles of the current sources; bundles those that are not in the cache. */
function bundledFunctions(): string {
  const bundles = cachedFolder('bundles', SOURCES);
  if (bundles.isComplete) return bundles.folder;
  bundleFunctions(PROJECT, bundles.unfinished, bundles.latest);
  return bundles.complete();
}
