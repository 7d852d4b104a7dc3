import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A call that reached the stub. */
export interface StubCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

export interface Stub {
  readonly endpoint: string;
  /** Returns the calls that reach the stub during the work. */
  callsDuring(work: () => Promise<unknown>): Promise<StubCall[]>;
  stop(): void;
}

/** Starts the stub of DynamoDB in a process of its own. */
export async function startStub(): Promise<Stub> {
  const child = fork(join(import.meta.dirname, 'stub-process.ts'), { stdio: 'inherit' });
  const [port] = await once(child, 'message');
  return {
    endpoint: `http://127.0.0.1:${port}`,
    async callsDuring(work) {
      await request(child, 'record');
      await work();
      return (await request(child, 'calls')) as StubCall[];
    },
    stop: () => child.kill(),
  };
}

async function request(child: ChildProcess, message: string): Promise<unknown> {
  const reply = once(child, 'message');
  child.send(message);
  const [answer] = await reply;
  return answer;
}
