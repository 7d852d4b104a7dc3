import type { TaskState } from './definition.ts';

type Retrier = NonNullable<TaskState['Retry']>[number];

/** AWS's defaults. */
const MAX_ATTEMPTS = 3;
const BACKOFF_RATE = 2;

/**
 * Whether an error is one of those that a retrier or catcher names. States.Runtime is never handled;
 * States.DataLimitExceeded is no part of States.ALL and States.TaskFailed, nor States.Timeout of the latter.
 */
export function isNamed(error: string, errorEquals: readonly string[]): boolean {
  if (error === 'States.Runtime') return false;
  return errorEquals.some(name => {
    if (name === error) return true;
    if (error === 'States.DataLimitExceeded') return false;
    return name === 'States.ALL' || (name === 'States.TaskFailed' && error !== 'States.Timeout');
  });
}

/** The retries of one visit of a Task state. Each retrier counts its own attempts. */
export class Retries {
  readonly #retriers: readonly Retrier[];
  readonly #random: () => number;
  readonly #attempts = new Map<Retrier, number>();

  constructor(retriers: readonly Retrier[] | undefined, random: () => number) {
    this.#retriers = retriers ?? [];
    this.#random = random;
  }

  /** How often the task was retried. */
  get count(): number {
    return this.#attempts.values().reduce((sum, attempts) => sum + attempts, 0);
  }

  /** Counts a retry and returns the seconds until it; undefined when the error is not to be retried (any more). */
  nextDelaySeconds(error: string): number | undefined {
    const retrier = this.#retriers.find(({ ErrorEquals }) => isNamed(error, ErrorEquals));
    if (retrier === undefined) return undefined;
    const attempts = this.#attempts.get(retrier) ?? 0;
    if (attempts >= (retrier.MaxAttempts ?? MAX_ATTEMPTS)) return undefined;
    this.#attempts.set(retrier, attempts + 1);
    const { IntervalSeconds, BackoffRate = BACKOFF_RATE, MaxDelaySeconds = Infinity } = retrier;
    const seconds = Math.min(IntervalSeconds * BackoffRate ** attempts, MaxDelaySeconds);
    return retrier.JitterStrategy === 'FULL' ? seconds * this.#random() : seconds;
  }
}
