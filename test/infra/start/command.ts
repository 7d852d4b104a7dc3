import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, onTestFinished } from 'vitest';
import { NPM_START, PROJECT } from '../../service/running-service.ts';

/** Folder of the running file of these services, instead of the developer's own. */
const NOTES = mkdtempSync(join(tmpdir(), 'petstore-notes-'));
afterAll(() => rmSync(NOTES, { recursive: true, force: true }));

/** The environment of a terminal: this one without the variables that npm sets for the scripts it runs. */
export function terminal(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
  return { ...Object.fromEntries(own), PETSTORE_RUNNING_FILE: join(NOTES, 'running.json'), ...more };
}

/** Runs infra/start.ts as a person would at a terminal. */
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
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
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
