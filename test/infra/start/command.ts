import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, vi } from 'vitest';
import { isRunning } from '../../../infra/local/host/processes.ts';
import { compileCacheOf, NPM_START, PROJECT } from '../../service/running-service.ts';

/** Folder of the running file of these services, instead of the developer's own. */
const NOTES = mkdtempSync(join(tmpdir(), 'petstore-notes-'));
const started = new Set<ChildProcess>();
afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
  rmSync(NOTES, { recursive: true, force: true });
});

/** The environment of a terminal: this one without the variables that npm sets for the scripts it runs. */
export function terminal(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return { ...Object.fromEntries(own), PETSTORE_RUNNING_FILE: join(NOTES, 'running.json'), ...more };
}

/** Runs infra/start.ts as a person would at a terminal. It is killed after the tests of the file if it still runs. */
export function startCommand(
  args: readonly string[],
  environment: NodeJS.ProcessEnv = terminal(),
  project = PROJECT,
): ChildProcess & {
  stdout: NonNullable<ChildProcess['stdout']>;
  stderr: NonNullable<ChildProcess['stderr']>;
} {
  const child = spawn(process.execPath, [...NPM_START, ...args], {
    cwd: project,
    env: { ...environment, NODE_COMPILE_CACHE: compileCacheOf(project) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  return child;
}

/**
 * Stops a service as Ctrl-C does: the terminal sends the signal to every process, and npm passes it on besides. The two are
 * of different kinds here, since the system may deliver two of one kind as one.
 */
export function sendCtrlC(service: ChildProcess): void {
  service.kill('SIGINT');
  service.kill('SIGTERM');
}

/** Waits for a command to end and returns what it printed and its exit code. */
export async function outcomeOf(child: ReturnType<typeof startCommand>) {
  const [output, complaints, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { output, complaints, exitCode };
}

/** The children of a process, and their children in any depth. */
export function descendantsOf(pid: number | undefined): number[] {
  const listing = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const processes = listing.split('\n').map(line => line.trim().split(/\s+/).map(Number));
  const children = processes.filter(([, ppid]) => ppid === pid).map(([child = 0]) => child);
  return [...children, ...children.flatMap(descendantsOf)];
}

/** Kills the npm of a service with SIGKILL, and expects that no process is left. */
export async function expectNothingLeftBy(npm: ChildProcess): Promise<void> {
  const below = descendantsOf(npm.pid);
  expect(below).not.toEqual([]);
  npm.kill('SIGKILL');
  try {
    await vi.waitFor(() => expect(below.filter(isRunning)).toEqual([]), { timeout: 120_000 });
  } finally {
    for (const pid of below.filter(isRunning)) process.kill(pid, 'SIGKILL');
  }
}

/** Whether something listens at the host and port of an address. */
export async function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}
