import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import type * as z from 'zod';
import { isRunning, startTimeOf } from '../processes.ts';
import { LocalAwsError } from './local-aws-error.ts';
import { removeLeftFolders, temporaryFolder } from './temporary-folder.ts';

/**
 * The files of the local AWS's data. Layout of a data folder: `lock`, `aws-access-key.json`, `secrets.json`, `api-gateway-keys.json`, `executions.json`,
 * `route53.json`, `acm.json`, `domain-names.json`, `rest-apis.json`, `ca.pem` and `ca-key.pem` (the certificate authority), `dynamodb/`
 * (the engine's database), `logs/`. Data without a file is kept in memory.
 */
export interface DataFolder {
  readonly accessKeyFile?: string;
  readonly secretsFile?: string;
  readonly apiKeysFile?: string;
  readonly executionsFile?: string;
  readonly hostedZonesFile?: string;
  readonly certificatesFile?: string;
  readonly domainNamesFile?: string;
  readonly restApiSettingsFile?: string;
  /** The folder of the certificate authority. */
  readonly authorityFolder: string;
  readonly databaseFolder?: string;
  readonly logFolder: string;
  release(): void;
}

/** A folder that is deleted when it is released, for a runtime without persistent data. */
export function temporaryDataFolder(): DataFolder {
  const folder = temporaryFolder();
  return {
    logFolder: folder,
    authorityFolder: folder,
    release: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Locks a data folder for this process. The lock of a process that has ended is taken over. */
export function openDataFolder(folder: string): DataFolder {
  removeLeftFolders();
  // Absolute paths: the engine runs in another working directory.
  const databaseFolder = resolve(folder, 'dynamodb');
  const logFolder = resolve(folder, 'logs');
  mkdirSync(databaseFolder, { recursive: true });
  mkdirSync(logFolder, { recursive: true });
  // Secrets, keys and data are for the owner only.
  chmodSync(folder, 0o700);
  const lockFile = join(folder, 'lock');
  lock(folder, lockFile);
  return {
    accessKeyFile: join(folder, 'aws-access-key.json'),
    secretsFile: join(folder, 'secrets.json'),
    apiKeysFile: join(folder, 'api-gateway-keys.json'),
    executionsFile: join(folder, 'executions.json'),
    hostedZonesFile: join(folder, 'route53.json'),
    certificatesFile: join(folder, 'acm.json'),
    domainNamesFile: join(folder, 'domain-names.json'),
    restApiSettingsFile: join(folder, 'rest-apis.json'),
    authorityFolder: resolve(folder),
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
 * The lock is written to another file and then linked to its name: that fails if there is a lock, and an incomplete lock is
 * never visible. A stale lock is moved away and then checked again, because another process may have replaced it meanwhile.
 */
function lock(folder: string, lockFile: string): void {
  const own = `${lockFile}.${randomUUID()}`;
  writeFileSync(own, JSON.stringify({ pid: process.pid, startTime: startTimeOf(process.pid) }));
  try {
    while (!tryLink(own, lockFile)) {
      refuseIfHeld(folder, lockFile);
      const stale = `${own}.stale`;
      if (tryMove(lockFile, stale)) {
        try {
          refuseIfHeld(folder, stale);
        } catch (error) {
          tryLink(stale, lockFile);
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
    throw new LocalAwsError(
      `The data folder ${folder} is in use by another running instance (pid ${pid}): stop that one first.`,
    );
  }
}

/** The process that holds a lock. For a lock that does not exist or cannot be read, an id that no process has. */
function holderOf(lockFile: string): Holder {
  try {
    return JSON.parse(readFileSync(lockFile, 'utf8'));
  } catch {
    return { pid: 2 ** 30, startTime: 'never' };
  }
}

function tryLink(from: string, to: string): boolean {
  return succeeds(() => linkSync(from, to), 'EEXIST');
}

function tryMove(from: string, to: string): boolean {
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

/**
 * A JSON file that only its owner can read. It is replaced atomically: after a crash it has the old or the new content.
 * Without a path nothing is kept.
 */
export class KeptFile<Schema extends z.ZodType> {
  readonly #path: string | undefined;
  readonly #schema: Schema;

  constructor(path: string | undefined, schema: Schema) {
    this.#path = path;
    this.#schema = schema;
  }

  /** The kept content, or undefined when there is none. */
  read(): z.output<Schema> | undefined {
    if (this.#path === undefined || !existsSync(this.#path)) {
      return undefined;
    }
    try {
      return this.#schema.parse(JSON.parse(readFileSync(this.#path, 'utf8')));
    } catch (cause) {
      throw new LocalAwsError(`${this.#path} cannot be read: restore it or remove it.`, {
        cause,
      });
    }
  }

  /** The kept content; if there is none, what is drawn, which is kept. */
  readOrKeep(draw: () => z.input<Schema> & z.output<Schema>): z.output<Schema> {
    const kept = this.read();
    if (kept !== undefined) return kept;
    const drawn = draw();
    this.keep(drawn);
    return drawn;
  }

  /** A content that takes long to gather is gathered only where it is kept. */
  keep(content: z.input<Schema> | (() => z.input<Schema>)): void {
    if (this.#path !== undefined) {
      const unfinished = `${this.#path}.new`;
      writeFileSync(
        unfinished,
        JSON.stringify(content instanceof Function ? content() : content, undefined, 2),
        { mode: 0o600, flush: true },
      );
      renameSync(unfinished, this.#path);
    }
  }
}
