import { randomUUID } from 'node:crypto';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { LocalRuntimeError } from './local-runtime-error.ts';
import { isRunning, startTimeOf } from './processes.ts';

/**
 * Where data is kept. Layout of a data folder: `lock`, `secrets.json`, `api-gateway-keys.json`, `dynamodb/` (the
 * engine's database), `logs/`. What is undefined is kept in memory.
 */
export interface DataFolder {
  readonly secretsFile?: string;
  readonly apiKeysFile?: string;
  readonly databaseFolder?: string;
  readonly logFolder: string;
  release(): void;
}

/** A folder that is gone after use, for a runtime that keeps nothing. */
export function temporaryDataFolder(): DataFolder {
  const folder = mkdtempSync(join(tmpdir(), 'local-runtime-'));
  return { logFolder: folder, release: () => rmSync(folder, { recursive: true, force: true }) };
}

/** Takes a data folder for this process alone; one left locked by a process that is gone is taken over. */
export function openDataFolder(folder: string): DataFolder {
  // The engine runs in a folder of its own, where a relative path would mean another place.
  const databaseFolder = resolve(folder, 'dynamodb');
  const logFolder = resolve(folder, 'logs');
  mkdirSync(databaseFolder, { recursive: true });
  mkdirSync(logFolder, { recursive: true });
  const lockFile = join(folder, 'lock');
  lock(folder, lockFile);
  return {
    secretsFile: join(folder, 'secrets.json'),
    apiKeysFile: join(folder, 'api-gateway-keys.json'),
    databaseFolder,
    logFolder,
    release: () => rmSync(lockFile, { force: true }),
  };
}

interface Holder {
  readonly pid: number;
  readonly startTime?: string;
}

/**
 * The lock is written aside and then linked into place: linking fails if there is one already, and nobody ever reads
 * half of one. A stale lock is moved away before it is judged a second time, since another process may have replaced
 * it in the meantime.
 */
function lock(folder: string, lockFile: string): void {
  const own = `${lockFile}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }));
  try {
    while (!linked(own, lockFile)) {
      refuseIfHeld(folder, lockFile);
      const stale = `${own}.stale`;
      if (moved(lockFile, stale)) {
        try {
          refuseIfHeld(folder, stale);
        } catch (error) {
          linked(stale, lockFile);
          throw error;
        } finally {
          rmSync(stale, { force: true });
        }
      }
    }
  } finally {
    rmSync(own, { force: true });
  }
}

function refuseIfHeld(folder: string, lockFile: string): void {
  const { pid, startTime } = holderOf(lockFile);
  if (isRunning(pid) && startTime === startTimeOf(pid)) {
    throw new LocalRuntimeError(
      `The data folder ${folder} is in use by another running instance (pid ${pid}): stop that one or choose another folder.`,
    );
  }
}

/** No process has the id that is returned for a lock that is gone or cannot be read. */
function holderOf(lockFile: string): Holder {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'));
  } catch {
    return { pid: 2 ** 30, startTime: 'never' };
  }
}

function linked(from: string, to: string): boolean {
  return succeeds(() => linkSync(from, to), 'EEXIST');
}

function moved(from: string, to: string): boolean {
  return succeeds(() => renameSync(from, to), 'ENOENT');
}

function succeeds(act: () => void, expectedCode: string): boolean {
  try {
    act();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === expectedCode) {
      return false;
    }
    throw error;
  }
}
