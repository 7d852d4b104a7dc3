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
      // What a handler logs is not part of the results.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error(`${bundle} ended its process.`);
    });
    this.#ended.catch(() => {});
    this.#ready = once(this.#child, 'message');
  }

  /** The CPU time of one invocation, on average over so many, in microseconds. */
  async invoke(count: number): Promise<number> {
    await Promise.race([this.#ready, this.#ended]);
    const answered = once(this.#child, 'message');
    this.#child.send(count);
    const [cpuMicroseconds] = await Promise.race([answered, this.#ended]);
    return Number(cpuMicroseconds);
  }

  stop(): void {
    this.#child.kill();
  }
}
