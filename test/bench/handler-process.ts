import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

export const HANDLER_PROCESS = join(import.meta.dirname, 'handler-process.js');

/** A handler that stays loaded in a process of its own. What it logs is dropped. */
export class LoadedHandler {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #ready: Promise<unknown>;

  constructor(environment: Record<string, string>, ...args: readonly string[]) {
    this.#child = fork(HANDLER_PROCESS, args, {
      env: environment,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    this.#ended = once(this.#child, 'exit').then(() => {
      throw new Error(`${args[1]} ended its process.`);
    });
    this.#ended.catch(() => {});
    this.#ready = once(this.#child, 'message');
  }

  /** Sends a message, and returns the reply. */
  async ask<Reply>(message: object | number): Promise<Reply> {
    await Promise.race([this.#ready, this.#ended]);
    const replied = once(this.#child, 'message');
    this.#child.send(message);
    const [reply] = await Promise.race([replied, this.#ended]);
    return reply;
  }

  stop(): void {
    this.#child.kill();
  }
}
