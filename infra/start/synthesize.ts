import { spawn } from 'node:child_process';
import { type FSWatcher, readdirSync, readFileSync, rmSync, statSync, watch } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { LocalSettings } from '../stack/environments.ts';
import { cachedFolder } from '../tools/build-cache.ts';

const PROJECT = resolve(import.meta.dirname, '../..');

/** The files that the app is made of, besides those in the folders below. */
const APP_FILES = [
  'cdk.json',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'infra/app.ts',
  'infra/local/host/processes.ts',
];

/** The files that the cloud assembly depends on. */
export const SOURCES = [
  ...APP_FILES,
  'infra/{settings,tools}/*.ts',
  'infra/stack/**/*.ts',
  'infra/openapi/**/*.{ts,md}',
  'functions/**/*.ts',
  'shared/**/*.ts',
];

/** The folders and files to watch for a change of any source. */
export const WATCHED = [
  ...APP_FILES,
  'infra/settings',
  'infra/tools',
  'infra/stack',
  'infra/openapi',
  'functions',
  'shared',
].map(path => join(PROJECT, path));

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
  return WATCHED.flatMap(path => {
    if (statSync(path).isFile()) {
      return [watch(dirname(path), (_event, name) => name === basename(path) && changed())];
    }
    const below = readdirSync(path, { recursive: true, withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .map(({ parentPath, name }) => join(parentPath, name));
    return [path, ...below].map(folder => watch(folder, changed));
  });
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
