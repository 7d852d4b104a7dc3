import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, vi } from 'vitest';
import { descendantsOf, isRunning } from '../../../infra/local/processes.ts';
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

/** Runs a command of Node.js as its child, as npm does, and passes on no signal when it is killed. */
const AS_NPM_DOES = [
  '-e',
  `require('node:child_process').spawn(process.execPath, process.argv.slice(1), {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, npm_lifecycle_event: 'start' },
  })`,
];

interface CommandStart {
  readonly environment?: NodeJS.ProcessEnv;
  /** A copy of the project. */
  readonly project?: string;
  /** Whether the process is not the service's own but that of its npm. */
  readonly isUnderNpm?: boolean;
}

/** Runs infra/start/start.ts as a person would at a terminal. It is killed after the tests of the file if it still runs. */
export function startCommand(
  args: readonly string[],
  { environment = terminal(), project = PROJECT, isUnderNpm = false }: CommandStart = {},
): ChildProcess & {
  stdout: NonNullable<ChildProcess['stdout']>;
  stderr: NonNullable<ChildProcess['stderr']>;
} {
  const child = spawn(process.execPath, [...(isUnderNpm ? AS_NPM_DOES : []), ...NPM_START, ...args], {
    cwd: project,
    env: { ...environment, NODE_COMPILE_CACHE: compileCacheOf(project) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.add(child);
  return child;
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

/** Whether something listens at the host and port of a URL. */
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

/** Replaces a file as many editors do: by moving a new one over it. */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}
