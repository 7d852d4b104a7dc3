import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

const WARM_PROCESS = join(import.meta.dirname, 'warm-process.js');

/** A handler that stays loaded in a process of its own. */
export class WarmHandler {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #ready: Promise<unknown>;

  constructor(bundle: string, event: string, environment: Record<string, string>) {
    this.#child = fork(WARM_PROCESS, [bundle, event], {
      env: environment,
      // Drops what a handler logs.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error(`${bundle} ended its process.`);
    });
    this.#ended.catch(() => {});
    this.#ready = once(this.#child, 'message');
  }

  /** Invokes the handler this many times; returns the average CPU time of one invocation in microseconds. */
  async invoke(count: number): Promise<number> {
    await Promise.race([this.#ready, this.#ended]);
    const answer = once(this.#child, 'message');
    this.#child.send(count);
    const [cpuMicroseconds] = await Promise.race([answer, this.#ended]);
    return Number(cpuMicroseconds);
  }

  stop(): void {
    this.#child.kill();
  }
}
