import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

/** Invokes bundles in processes of their own, started when they are first asked. */
export class Answering {
  readonly #processes = new Map<string, Promise<ChildProcess>>();

  async answer(
    bundle: string,
    environment: Record<string, string>,
    event: APIGatewayProxyEvent,
  ): Promise<APIGatewayProxyResult> {
    const key = JSON.stringify([bundle, environment]);
    const started = this.#processes.get(key) ?? start(bundle, environment);
    this.#processes.set(key, started);
    const child = await started;
    const answered = once(child, 'message');
    child.send(event);
    const [answer] = await answered;
    return answer;
  }

  async stop(): Promise<void> {
    for (const started of this.#processes.values()) (await started).kill();
  }
}

async function start(bundle: string, environment: Record<string, string>): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, 'answering-process.js'), [bundle], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}
