import { setTimeout as sleepFor } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import { type DomainReport, isLive } from './domain-report.ts';

export interface Watch {
  look(): Promise<DomainReport>;
  /** Called with every look. */
  update(report: DomainReport): void;
  readonly timeoutMs: number;
  /** The longest time between two looks. */
  readonly intervalMs: number;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** A look that fails for such a reason may succeed the next time. */
const PASSING = ['network', 'unavailable', 'function_error'];
const FAILURES_IN_A_ROW = 3;

/** One second after the first look, two after the second: most is to be seen at the beginning. */
const STEP_MS = 1_000;

/**
 * Looks at a domain until it is live, or cannot get there any more, or the time is over; returns the last look. Records
 * that are missing do not end it: somebody may be creating them.
 */
export async function watchDomain(first: DomainReport, watch: Watch): Promise<DomainReport> {
  const { look, update, timeoutMs, intervalMs, now = Date.now, sleep = sleepFor } = watch;
  const endMs = now() + timeoutMs;
  let report = first;
  let failures = 0;
  update(report);
  for (let looks = 1; !isOver(report) && now() < endMs; looks += 1) {
    await sleep(Math.min(looks * STEP_MS, intervalMs, endMs - now()));
    try {
      report = await look();
      failures = 0;
      update(report);
    } catch (error) {
      failures += 1;
      const isPassing = error instanceof CommandError && PASSING.includes(error.code);
      if (!isPassing || failures === FAILURES_IN_A_ROW) throw error;
    }
  }
  return report;
}

function isOver(report: DomainReport): boolean {
  return isLive(report) || report.status === 'failed' || report.status === 'removing';
}
