import { wait } from '../host/wait.ts';

/** The time of an execution. Both ways of waiting return early when the signal is aborted. */
export interface Clock {
  nowMs(): number;
  /** Waits as a Wait state, before a retry, or until the deadline of an execution. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
  /** Waits for the time-out of a task, which is never scaled: a function runs no faster than it does. */
  taskTimeout(seconds: number, signal: AbortSignal): Promise<void>;
}

/** Real time, in which every sleep takes the given fraction of its seconds. */
export function realClock(waitScale: number): Clock {
  return {
    nowMs: Date.now,
    sleep: (seconds, signal) => wait(seconds * 1000 * waitScale, signal),
    taskTimeout: (seconds, signal) => wait(seconds * 1000, signal),
  };
}
