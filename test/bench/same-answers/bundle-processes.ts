import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** Invokes bundles, each in a process of its own that is started with its first invocation. */
export class BundleProcesses {
  readonly #processes = new Map<string, Promise<ChildProcess>>();

  async invoke(
    bundle: string,
    environment: Record<string, string>,
    event: APIGatewayProxyEvent,
  ): Promise<APIGatewayProxyResult> {
    const key = JSON.stringify([bundle, environment]);
    const started = this.#processes.get(key) ?? start(bundle, environment);
    this.#processes.set(key, started);
    const child = await started;
    const reply = once(child, 'message');
    child.send(event);
    const [answer] = await reply;
    return answer;
  }

  async stop(): Promise<void> {
    for (const started of this.#processes.values()) (await started).kill();
  }
}

async function start(bundle: string, environment: Record<string, string>): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'bundle-process.js'), [bundle], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}
