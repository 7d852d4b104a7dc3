import { setImmediate as turn } from 'node:timers/promises';
import { vi } from 'vitest';
import type { FaultyEngine } from './faulty-engine.ts';

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
    while (!outcome) {
      await turn();
      if (!engine?.isWorking()) await vi.advanceTimersByTimeAsync(stepMs);
    }
    return { ...outcome, tookMs: Date.now() - startedAtMs };
  } finally {
    vi.useRealTimers();
  }
}
