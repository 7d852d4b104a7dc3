import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { Code } from 'aws-cdk-lib/aws-lambda';
import { type BuildOptions, buildSync, type Metafile } from 'esbuild';
import { cachedFolder } from '../tools/build-cache.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** Names parts of the SDK and their substitutes in bundles. Without this file, bundles contain the SDK unchanged. */
const SUBSTITUTES_FILE = 'shared/aws/lean/substitutes.json';

/** The files that every bundle depends on: esbuild reads the settings, and packages change only with the lock file. */
const COMMON_SOURCES = ['package.json', 'package-lock.json', 'tsconfig.json', SUBSTITUTES_FILE];

/** The files that the bundles depend on. */
const SOURCES = [...COMMON_SOURCES, 'functions/**/*.ts', 'shared/**/*.ts', 'infra/stack/function-bundles.ts'];

/** Files that are deployed beside a function's code, by name. */
export type ShippedFiles = Readonly<Record<string, string | Uint8Array>>;

let bundleFolder: string | undefined;

/** The deployable code of the function at functions/<path>.ts: index.cjs, and beside it the files that it reads. */
export function functionCode(path: string, files: ShippedFiles = {}): Code {
  bundleFolder ??= bundledFunctions();
  const bundle = join(bundleFolder, path);
  return Code.fromAsset(Object.keys(files).length > 0 ? withFiles(bundle, files) : bundle);
}

let temporaryFolder: string | undefined;

/** A copy of a bundle with files beside it. */
function withFiles(bundle: string, files: ShippedFiles): string {
  temporaryFolder ??= newTemporaryFolder();
  // No dot in the name: the CDK would take what follows for a file extension of the asset.
  const folder = mkdtempSync(join(temporaryFolder, 'function-'));
  cpSync(bundle, folder, { recursive: true });
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  return folder;
}

/** A folder that is removed when the process ends. */
function newTemporaryFolder(): string {
  // Named like the cache's unfinished folders, which the next start removes if this process is killed.
  const folder = join(PROJECT, `.cache/bundles/files.${process.pid}`);
  mkdirSync(folder, { recursive: true });
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The folder of all bundles of the current sources; bundles those that are not in the cache. */
function bundledFunctions(): string {
  const bundles = cachedFolder('bundles', SOURCES);
  if (bundles.isComplete) return bundles.folder;
  bundleFunctions(PROJECT, bundles.unfinished, bundles.latest);
  return bundles.complete();
}

/**
 * The output is CommonJS, because importing node:http as an ES module loads undici and doubles the time of a cold start.
 * The input is the SDK's ES modules, because esbuild cannot tree-shake CommonJS.
 */
const OPTIONS = {
  outExtension: { '.js': '.cjs' },
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'cjs',
  mainFields: ['module', 'main'],
  // The SDK imports node:http dynamically; compiled to a require, that does not load undici either.
  supported: { 'dynamic-import': false },
  legalComments: 'none',
  logLevel: 'warning',
} satisfies BuildOptions;

/** The hashes of files by their paths in the project. */
type FileHashes = Readonly<Record<string, string>>;

/** What the bundles in a folder were made from. */
interface Origins {
  /** The hash of everything they all depend on. */
  readonly common: string;
  /** The project's files that each function was made from. */
  readonly functions: Readonly<Record<string, FileHashes>>;
}

const ORIGINS_FILE = 'origins.json';

const bundleOf = (folder: string, path: string) => join(folder, path, 'index.cjs');

/**
 * Bundles the functions of a project into `folder`/<path>/index.cjs and returns the paths of those it bundled. If no file
 * of a function has changed since `earlierFolder` was written, its bundle is copied from there: bundling all functions
 * takes seconds, one a fraction of that.
 */
export function bundleFunctions(project: string, folder: string, earlierFolder?: string): string[] {
  const hashOf = fileHasher(project);
  const common = sha256(JSON.stringify([OPTIONS, ...COMMON_SOURCES.map(hashOf)]));
  const earlier = earlierFolder === undefined ? {} : unchangedFunctions(earlierFolder, common, hashOf);
  const paths = globSync('**/*.ts', { cwd: join(project, 'functions') }).map(file =>
    file.slice(0, -'.ts'.length),
  );
  const functions: Record<string, FileHashes> = {};
  const changed: string[] = [];
  for (const path of paths) {
    if (earlierFolder === undefined || earlier[path] === undefined) {
      changed.push(path);
      continue;
    }
    functions[path] = earlier[path];
    cpSync(bundleOf(earlierFolder, path), bundleOf(folder, path));
  }
  const inputs = bundle(project, folder, changed);
  for (const path of changed) {
    const files = projectFilesOf(`functions/${path}.ts`, inputs);
    functions[path] = Object.fromEntries(files.map(file => [file, hashOf(file)]));
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, ORIGINS_FILE), JSON.stringify({ common, functions } satisfies Origins));
  return changed;
}

/** Bundles functions in one run of esbuild, which takes less time than one run per function. */
function bundle(project: string, outdir: string, paths: readonly string[]): Metafile['inputs'] {
  const substitutes = join(project, SUBSTITUTES_FILE);
  const { metafile } = buildSync({
    ...OPTIONS,
    alias: existsSync(substitutes) ? JSON.parse(readFileSync(substitutes, 'utf8')) : {},
    absWorkingDir: project,
    entryPoints: paths.map(path => ({ in: `functions/${path}.ts`, out: `${path}/index` })),
    outdir,
    metafile: true,
  });
  return metafile.inputs;
}

/** The project's files among all that a file imports, directly or not; packages import some of them as substitutes. */
function projectFilesOf(entryPoint: string, inputs: Metafile['inputs']): string[] {
  const files = new Set([entryPoint]);
  // What is added to a set while it is iterated is iterated, too.
  for (const file of files) {
    for (const { path, external } of inputs[file]?.imports ?? []) {
      if (!external) files.add(path);
    }
  }
  return [...files].filter(file => !/(^|[/:])node_modules\//.test(file));
}

/** The functions in a folder of bundles whose code would be the same now. */
function unchangedFunctions(
  folder: string,
  common: string,
  hashOf: (file: string) => string,
): Origins['functions'] {
  const file = join(folder, ORIGINS_FILE);
  // A folder written by an older version of this code has no such file.
  if (!existsSync(file)) return {};
  const origins: Origins = JSON.parse(readFileSync(file, 'utf8'));
  if (origins.common !== common) return {};
  const unchanged = Object.entries(origins.functions).filter(([, hashes]) =>
    Object.entries(hashes).every(([path, hash]) => hashOf(path) === hash),
  );
  return Object.fromEntries(unchanged);
}

/** Hashes files of a project, each only once. A missing file gets a hash that no file has. */
function fileHasher(project: string): (file: string) => string {
  const hashes = new Map<string, string>();
  return file => {
    const path = join(project, file);
    const hash = hashes.get(file) ?? (existsSync(path) ? sha256(readFileSync(path)) : 'none');
    hashes.set(file, hash);
    return hash;
  };
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
