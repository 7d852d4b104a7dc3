import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';

const PROJECT = resolve(import.meta.dirname, '../..');

export interface RunningService {
  readonly production: { readonly url: string; readonly apiKey: string };
  readonly staging: { readonly url: string; readonly apiKey: string };
  readonly awsEndpoint: string;
  readonly process: import('node:child_process').ChildProcess;
  stop(): Promise<void>;
}

/** Starts the whole service as `npm start -- --json` does, on free ports; by default it keeps nothing. */
export async function startService(flags: readonly string[] = ['--memory']): Promise<RunningService> {
  const child = spawn(process.execPath, ['infra/start.ts', '--port', '0', '--json', ...flags], {
    cwd: PROJECT,
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
