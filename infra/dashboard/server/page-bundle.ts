import { mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { cachedFolder } from '../../tools/build-cache.ts';

const PAGE = resolve(import.meta.dirname, '../page');

/** Where the guides are that its help leads to. */
const GUIDES = resolve(import.meta.dirname, '../../../shared/domains');

/** The page's source files: its own, and what it imports from the command and the contract. */
const SOURCES = [
  'package-lock.json',
  'infra/dashboard/**/*.{ts,tsx,css,svg}',
  'infra/operator/**/*.ts',
  'shared/{api-keys,audit,operator,projects}/*.ts',
  'shared/domains/{,dns/,life/}*.ts',
];

export interface PageFile {
  readonly type: string;
  readonly compressed: Buffer;
}

/** The files of the page by name; bundles them unless they are in the cache. */
export async function pageFiles(): Promise<ReadonlyMap<string, PageFile>> {
  const bundle = await bundleFolder();
  const file = (name: string, type: string, folder = bundle): [string, PageFile] => [
    name,
    { type: `${type}; charset=utf-8`, compressed: gzipSync(readFileSync(join(folder, name))) },
  ];
  return new Map([
    file('page.js', 'text/javascript'),
    file('page.css', 'text/css'),
    file('icon.svg', 'image/svg+xml', PAGE),
    file('guide.md', 'text/plain', GUIDES),
    file('owners.md', 'text/plain', GUIDES),
  ]);
}

async function bundleFolder(): Promise<string> {
  const bundle = cachedFolder('dashboard', SOURCES);
  if (bundle.isComplete) return bundle.folder;
  mkdirSync(bundle.unfinished, { recursive: true });
  await build(bundle.unfinished);
  return bundle.complete();
}

async function build(outdir: string): Promise<void> {
  // Loaded here because a cached page doesn't need it.
  const esbuild = await import('esbuild');
  await esbuild.build({
    entryPoints: [
      { in: join(PAGE, 'main.tsx'), out: 'page' },
      { in: join(PAGE, 'page.css'), out: 'page' },
    ],
    outdir,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'silent',
  });
}
