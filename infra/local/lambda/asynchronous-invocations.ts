import { wait } from '../host/wait.ts';

/** Lambda retries a failed asynchronous invocation after one minute, and again after two more minutes. */
const RETRY_DELAYS_MS = [60_000, 120_000];

/** Performs asynchronous invocations: those of events, schedules and callers that do not wait for the result. */
export class AsynchronousInvocations {
  readonly #waitScale: number;
  readonly #stopping = new AbortController();

  constructor(waitScale: number) {
    this.#waitScale = waitScale;
  }

  /**
   * Invokes a function and resolves after the first attempt. An attempt that returns false has failed and is retried later.
   */
  async run(attempt: () => Promise<boolean>): Promise<void> {
    if (!(await attempt())) this.#retry(attempt);
  }

  get isStopped(): boolean {
    return this.#stopping.signal.aborted;
  }

  /** Gives up the retries that have not begun. */
  stop(): void {
    this.#stopping.abort();
  }

  async #retry(attempt: () => Promise<boolean>): Promise<void> {
    for (const delayMs of RETRY_DELAYS_MS) {
      await wait(delayMs * this.#waitScale, this.#stopping.signal);
      if (this.isStopped || (await attempt())) return;
    }
  }
}
