import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROJECT = resolve(import.meta.dirname, '../../..');

/** The service as `npm start -- --json` reports it. */
export interface StartedService {
  readonly production: { readonly url: string; readonly apiKey: string };
  readonly awsEndpoint: string;
  stop(): Promise<void>;
}

/** Runs `npm start`, as a user does, on free ports; the service keeps nothing. */
export async function npmStart(flags: readonly string[] = []): Promise<StartedService> {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-bench-'));
  const child = spawn('npm', ['start', '--', '--port', '0', '--memory', '--json', ...flags], {
    cwd: PROJECT,
    env: { ...withoutNpm(process.env), PETSTORE_RUNNING_FILE: join(folder, 'running.json') },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  const exited = once(child, 'exit');
  const stop = async () => {
    // Not every version of npm forwards signals, so the signal goes to the whole process group.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGTERM');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  };
  for await (const line of createInterface({ input: child.stdout })) {
    if (line.startsWith('{')) return { ...JSON.parse(line), stop };
  }
  await stop();
  throw new Error('npm start ended before it was ready.');
}

/** npm describes the command line of the benchmark in these variables, which must not reach the service. */
function withoutNpm(variables: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !name.startsWith('npm_')));
}
