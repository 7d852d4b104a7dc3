import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

export const PROJECT = resolve(import.meta.dirname, '../..');

export const ENVIRONMENTS = ['production', 'staging'] as const;

/** Where one environment is reached, and a key for it. */
export interface Environment {
  readonly url: string;
  readonly apiKey: string;
}

export interface RunningService {
  readonly production: Environment;
  readonly staging: Environment;
  readonly awsEndpoint: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts the whole service as `npm start -- --json` does, on free ports; by default it keeps nothing. Another project
 * folder has data of its own.
 */
export async function startService(
  flags: readonly string[] = ['--memory'],
  project = PROJECT,
): Promise<RunningService> {
  const child = spawn(process.execPath, ['infra/start.ts', '--port', '0', '--json', ...flags], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const exited = once(child, 'exit');
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    exited.then(() => Promise.reject(new Error(`The service did not start: ${complaints}`))),
  ]);
  return {
    ...JSON.parse(line),
    process: child,
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}
