import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import type { FaultyEngine } from './faulty-engine.ts';

/** Ten times what the longest deadline takes: what has not settled by then waits for ever. */
const MOST_STEPS = 500_000;

/**
 * Advances the clock as fast as the machine can until the work settles; the clock stops while the engine works. Returns
 * the error that the work rejected with, if it did, and the time that it took.
 */
export async function outcomeInFastTime(
  work: () => Promise<unknown>,
  engine?: Pick<FaultyEngine, 'isWorking'>,
  stepMs = 5,
): Promise<{ error: unknown; tookMs: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  try {
    const startedAtMs = Date.now();
    let outcome: { error: unknown } | undefined;
    work().then(
      () => {
        outcome = { error: undefined };
      },
      error => {
        outcome = { error };
      },
    );
    for (let steps = 1; !outcome; steps += 1) {
      if (steps > MOST_STEPS) throw new Error('Nothing limits how long the work waits.');
      await turn();
      if (!engine?.isWorking()) await vi.advanceTimersByTimeAsync(stepMs);
    }
    return { ...outcome, tookMs: Date.now() - startedAtMs };
  } finally {
    vi.useRealTimers();
  }
}
