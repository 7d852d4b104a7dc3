import { spawn } from 'node:child_process';
import { type FSWatcher, readdirSync, readFileSync, rmSync, watch } from 'node:fs';
import { dirname, extname, join, matchesGlob, relative, resolve } from 'node:path';
import type { LocalSettings } from '../stack/environments.ts';
import { cachedFolder } from '../tools/build-cache.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** The files that the cloud assembly depends on. Settings files are for deploys to AWS. */
export const SOURCES = [
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'infra/app.ts',
  'infra/local/processes.ts',
  'infra/settings/*.ts',
  'infra/tools/*.ts',
  'infra/stack/**/*.ts',
  'infra/openapi/**/*.{css,js,md,ts}',
  'functions/**/*.ts',
  'shared/**/*.ts',
];

/** The app could not be synthesized; the message is what it printed. */
export class SynthesisError extends Error {
  override readonly name = 'SynthesisError';
}

/**
 * The folder of the cloud assembly of the current sources; synthesizes it, and reports that, unless it is in the cache. One
 * with settings, which not everybody has, is of another kind.
 */
export async function synthesize(
  report: (line: string) => void = () => {},
  settings: LocalSettings = {},
): Promise<string> {
  const kind = ['assemblies', ...(settings.managedZoneIds ?? [])].join('-');
  const assembly = cachedFolder(kind, SOURCES);
  if (assembly.isComplete) return assembly.folder;
  const isFirst = assembly.latest === undefined;
  report(
    `Bundling the functions and synthesizing the stacks${isFirst ? '; the first time takes longest' : ''} …`,
  );
  await runApp(assembly.unfinished, settings);
  return assembly.complete();
}

/** Runs the app of cdk.json as the cdk command does, without the checks of the templates, which are for deploying. */
async function runApp(outputFolder: string, settings: LocalSettings): Promise<void> {
  const { app, context } = JSON.parse(readFileSync(join(PROJECT, 'cdk.json'), 'utf8'));
  const child = spawn(app, {
    cwd: PROJECT,
    shell: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      // The same Node as this process, wherever the command line was.
      PATH: `${resolve(process.execPath, '..')}:${process.env.PATH}`,
      CDK_OUTDIR: outputFolder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, 'petstore:local': settings }),
      CDK_VALIDATION: 'false',
    },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
    });
  }
  const exitCode = await new Promise((done, fail) => child.on('error', fail).on('close', done));
  if (exitCode !== 0) {
    rmSync(outputFolder, { recursive: true, force: true });
    throw new SynthesisError(`The stack can't be synthesized:\n${printed.trim()}`);
  }
}

/** An editor saves in several steps: everything within this time is one change. */
const QUIET_MS = 100;

/** Calls back after each change of a source, one call at a time; a change during a call leads to another call. */
export function watchSources(onChange: () => Promise<void>): { close(): void } {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  const changed = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      watchers = renewed(watchers, changed);
      running = running.then(onChange);
    }, QUIET_MS);
  };
  let watchers = watchFolders(changed);
  return {
    close() {
      clearTimeout(timer);
      closeAll(watchers);
    },
  };
}

/**
 * Watches every folder separately. Node's recursive watch follows the first file of a name, and loses it when an editor
 * saves by moving a new file over it.
 */
function watchFolders(changed: () => void): FSWatcher[] {
  const folders = SOURCES.flatMap(source => {
    const [path = source] = source.split('/*');
    return path === source ? dirname(source) : [path, ...foldersBelow(path)];
  });
  return [...new Set(folders)].map(folder =>
    watch(join(PROJECT, folder), (_event, name) => {
      if (name === null || isSource(join(folder, name))) changed();
    }),
  );
}

function foldersBelow(path: string): string[] {
  return readdirSync(join(PROJECT, path), { recursive: true, withFileTypes: true })
    .filter(entry => entry.isDirectory())
    .map(({ parentPath, name }) => relative(PROJECT, join(parentPath, name)));
}

/** Whether a path is a source, or could be a folder of them: that one may be gone. */
function isSource(path: string): boolean {
  const paths = extname(path) === '' ? [path, join(path, 'any.ts')] : [path];
  return SOURCES.some(source => paths.some(each => matchesGlob(each, source)));
}

/** Watches the folders as they are now, including those that the change created. */
function renewed(watchers: FSWatcher[], changed: () => void): FSWatcher[] {
  try {
    const now = watchFolders(changed);
    closeAll(watchers);
    return now;
  } catch {
    // A folder was deleted in between, which is the next change.
    return watchers;
  }
}

function closeAll(watchers: FSWatcher[]): void {
  for (const watcher of watchers) watcher.close();
}
