import { createHash, type Hash } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { isRunning } from '../local/processes.ts';

const PROJECT = resolve(import.meta.dirname, '../..');
const CACHE = join(PROJECT, '.cache');

/** Longer than anyone leaves `npm start` running without starting it again. */
const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** A folder below .cache that depends on sources and nothing else, such as a cloud assembly or the bundled functions. */
export interface CachedFolder {
  readonly folder: string;
  /** Whether an earlier process has written it for the same sources. */
  readonly isComplete: boolean;
  /** The folder of the same kind, for other sources, that was used last. */
  readonly latest: string | undefined;
  /** Where to write it. */
  readonly unfinished: string;
  /**
   * Moves what was written into its place and returns that; another process may have done the same in the meantime. If a
   * source changed during the build, the output stays where it is, for this process alone.
   */
  complete(): string;
}

/**
 * The folder of a kind for the sources as they are now. Folders that nobody has used for a week are removed, and those of
 * every kind that a killed process has left unfinished.
 */
export function cachedFolder(kind: string, sources: readonly string[]): CachedFolder {
  const cache = join(CACHE, kind);
  const hash = hashOf(sources);
  const folder = join(cache, hash);
  const unfinished = `${folder}.${process.pid}`;
  const isComplete = existsSync(folder);
  if (isComplete) utimesSync(folder, new Date(), new Date());
  else {
    mkdirSync(cache, { recursive: true });
    removeOldFolders(cache);
  }
  removeLeftFolders();
  return {
    folder,
    isComplete,
    latest: isComplete ? undefined : latestFolder(cache),
    unfinished,
    complete() {
      if (hashOf(sources) !== hash) return unfinished;
      try {
        renameSync(unfinished, folder);
      } catch (error) {
        rmSync(unfinished, { recursive: true, force: true });
        if (!existsSync(folder)) throw error;
      }
      return folder;
    },
  };
}

/** Of the contents of files, and of the version of Node. */
function hashOf(sources: readonly string[]): string {
  return hashFiles(createHash('sha256').update(process.version), sources).slice(0, 16);
}

/** Unfinished folders, whose names have a dot, do not count. */
function latestFolder(cache: string): string | undefined {
  const folders = readdirSync(cache).filter(name => !name.includes('.'));
  const byUse = folders.map(name => ({
    folder: join(cache, name),
    usedAtMs: lastUseMs(join(cache, name)) ?? 0,
  }));
  return byUse.toSorted((one, other) => other.usedAtMs - one.usedAtMs)[0]?.folder;
}

function removeOldFolders(cache: string): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    const usedAtMs = lastUseMs(folder);
    if (usedAtMs !== undefined && Date.now() - usedAtMs > WEEK_MS) {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

/** An unfinished folder has the id of its process after a dot. */
const UNFINISHED = /^(?:[0-9a-f]{16}|files)\.(\d+)/;

function removeLeftFolders(): void {
  for (const path of globSync('*/*.*', { cwd: CACHE })) {
    const [, pid] = UNFINISHED.exec(basename(path)) ?? [];
    if (pid !== undefined && !isRunning(Number(pid)))
      rmSync(join(CACHE, path), { recursive: true, force: true });
  }
}

/** Undefined if another process has moved it since. */
function lastUseMs(folder: string): number | undefined {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs;
}

const HASH_DIGITS = 12;

let known: string | undefined;

/**
 * The version of this checkout, such as 1.0.0+0123456789ab: that of package.json, and a hash of the sources of functions
 * and stack. It is that of the first call, so that a process stays what it was started as.
 */
export function sourceVersion(): string {
  known ??= readSourceVersion();
  return known;
}

function readSourceVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'));
  const sources = [
    'functions/**/*.ts',
    'shared/**/*.ts',
    'infra/{stack,openapi,settings,tools}/**/*.ts',
    'infra/app.ts',
  ];
  const hash = hashFiles(createHash('sha256'), sources);
  return `${version}+${hash.slice(0, HASH_DIGITS)}`;
}

/** Adds the names and contents of files to a hash, and returns its digits. */
function hashFiles(hash: Hash, sources: readonly string[]): string {
  for (const file of globSync([...sources], { cwd: PROJECT }).toSorted()) {
    hash.update(`\n${file}\n`).update(readFileSync(join(PROJECT, file)));
  }
  return hash.digest('hex');
}
