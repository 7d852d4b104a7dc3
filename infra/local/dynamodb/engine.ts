import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { LocalAwsError } from '../host/local-aws-error.ts';
import { temporaryFolder } from '../host/temporary-folder.ts';
import { commandLineOf } from '../processes.ts';
import { dynamoDbLocal } from './dynamodb-local.ts';
import { dynoxide, HIDES_FROM_PAGES } from './dynoxide.ts';
import { ENGINE_NAMES, type EngineName, type EngineProgram } from './engine-program.ts';

const PROGRAMS: Readonly<Record<EngineName, EngineProgram>> = { dynoxide, 'dynamodb-local': dynamoDbLocal };

/** A running DynamoDB engine. */
export interface Engine {
  /** Such as "Dynoxide". */
  readonly title: string;
  /** Resolves when the engine is ready, or rejects when it does not start. */
  readonly endpoint: Promise<string>;
  /** The access key of the data. */
  readonly accessKeyId: string;
  /** How long after its response a write may still be lost by a kill of the engine. */
  readonly commitSeconds: number;
  stop(): Promise<void>;
}

/**
 * Runs the engine, and a watchdog that kills it when this process ends for any reason: the watchdog waits for the end of
 * a pipe that only this process holds open. Stopping the engine works like a crash of this process: the watchdog waits until
 * what was acknowledged is committed, so that it is kept in both cases. An engine that is killed does not remove its
 * temporary files, so they have a folder of their own. After a crash nothing reads what the shell writes, which must not
 * end it. The database is for its owner only.
 */
export const SUPERVISOR = `
umask 077
trap '' PIPE
pid_file=$1
temporary=$2
commit_seconds=$3
shift 3
exec 3<&0
"$@" </dev/null 3<&- &
engine=$!
echo "$engine" >"$pid_file"
(read -r _ <&3; sleep "$commit_seconds"; kill -9 "$engine") </dev/null >/dev/null 2>&1 &
watchdog=$!
wait "$engine"
exit_code=$?
kill -9 "$watchdog"
rm -rf "$temporary"
exit "$exit_code"
`;

/** The slower engine is ready after 2.2 s on a warm machine; a cold disk or an emulated processor may take ten times that. */
const START_LIMIT_MS = 60_000;
const PREVIOUS_ENGINE_LIMIT_MS = 10_000;
const PREVIOUS_ENGINE_POLL_MS = 25;
const OUTPUT_KEPT = 8192;
const PORT_ATTEMPTS = 3;

interface EngineOptions {
  readonly name?: EngineName | undefined;
  /** In memory without it. */
  readonly databaseFolder?: string | undefined;
  onDied?(): void;
  choosePort?(host: string): Promise<number>;
}

/** Starts an engine on a free port; the default one unless another is named. */
export function startEngine({
  name = defaultEngine(),
  databaseFolder,
  onDied = () => {},
  choosePort = freePort,
}: EngineOptions = {}): Engine {
  const program = PROGRAMS[name];
  const { title } = program;
  const missing = program.missing();
  if (missing !== undefined) throw new LocalAwsError(missing);
  if (databaseFolder !== undefined) {
    refuseOtherEngine(name, databaseFolder);
    chmodSync(databaseFolder, 0o700);
  }
  const accessKeyId = program.accessKeyId(databaseFolder);
  let supervisor: { readonly child: ChildProcess; readonly ended: Promise<unknown> } | undefined;
  let stopped = false;

  async function start(): Promise<string> {
    const pidFile = databaseFolder === undefined ? '/dev/null' : join(databaseFolder, 'engine.pid');
    if (databaseFolder !== undefined) await waitForPreviousEngine(pidFile, databaseFolder);
    for (let attempt = 1; ; attempt++) {
      const host = program.host();
      const port = await choosePort(host);
      try {
        await run(host, port, pidFile);
        return `http://${host}:${port}`;
      } catch (error) {
        // Another process may take the port before the engine does.
        if (attempt === PORT_ATTEMPTS || !program.portTaken.test(String(error))) throw error;
      }
    }
  }

  async function run(host: string, port: number, pidFile: string): Promise<void> {
    if (stopped) throw new LocalAwsError(`${title} was stopped before it was ready.`);
    const temporary = temporaryFolder();
    const { folder, command } = program.command({ host, port, databaseFolder, temporaryFolder: temporary });
    const commitSeconds = String(databaseFolder === undefined ? 0 : program.commitSeconds);
    // In a session of its own, so that Ctrl-C in the terminal reaches this process only and requests can finish.
    const child = spawn('/bin/sh', ['-c', SUPERVISOR, name, pidFile, temporary, commitSeconds, ...command], {
      cwd: folder,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      // In the locale C, Java doesn't find files whose path has other letters than English ones.
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    child.stdin.on('error', () => {});
    let output = '';
    let ready = false;
    const started = Promise.withResolvers<void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-OUTPUT_KEPT);
        if (program.readyLine.test(output)) started.resolve();
      });
    }
    const ended = once(child, 'close').then(([exitCode]) => {
      child.stdin.destroy();
      if (ready && !stopped) onDied();
      started.reject(program.startError?.(exitCode, output) ?? startFailure(title, exitCode, output));
    }, started.reject);
    supervisor = { child, ended };
    const limit = setTimeout(() => {
      started.reject(new LocalAwsError(`${title} was not ready within ${START_LIMIT_MS / 1000} s.`));
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
  return { title, endpoint, accessKeyId, commitSeconds: program.commitSeconds, stop };
}

/** Dynoxide where it runs and web pages can't find it; else DynamoDB Local, which may lack its Java. */
function defaultEngine(): EngineName {
  return HIDES_FROM_PAGES && dynoxide.missing() === undefined ? 'dynoxide' : 'dynamodb-local';
}

/** An engine would not see the data of another one, and would begin anew beside it. */
function refuseOtherEngine(name: EngineName, databaseFolder: string): void {
  const owner = ENGINE_NAMES.find(
    other => other !== name && existsSync(join(databaseFolder, PROGRAMS[other].mark)),
  );
  if (owner === undefined) return;
  const dataFolder = dirname(databaseFolder);
  throw new LocalAwsError(
    `The data in ${dataFolder} was written by ${PROGRAMS[owner].title}, not by ${PROGRAMS[name].title}. Go on with it by --engine ${owner}, or start a new folder: mv '${dataFolder}' '${dataFolder}-${owner}'`,
  );
}

/** After a runtime was killed, its watchdog needs a moment to kill the engine. */
async function waitForPreviousEngine(pidFile: string, databaseFolder: string): Promise<void> {
  const pid = previousPid(pidFile);
  if (pid === undefined) return;
  const isOurs = () => commandLineOf(pid).includes(databaseFolder);
  for (let waitedMs = 0; isOurs(); waitedMs += PREVIOUS_ENGINE_POLL_MS) {
    if (waitedMs > PREVIOUS_ENGINE_LIMIT_MS) {
      throw new LocalAwsError(
        `The DynamoDB engine of an earlier run still uses ${databaseFolder}: end its process (pid ${pid}).`,
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

async function freePort(host: string): Promise<number> {
  const server = createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, 'close');
  return port;
}

function startFailure(title: string, exitCode: number | null, output: string): LocalAwsError {
  const lines = output.split('\n').filter(line => !/^\s*(at |\.\.\. \d+ more|$)/.test(line));
  const lastLines = lines
    .slice(-3)
    .map(line => line.trim())
    .join(' | ');
  return new LocalAwsError(`${title} did not start (exit code ${exitCode}): ${lastLines}`);
}
