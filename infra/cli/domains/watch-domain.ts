import { setTimeout as sleepFor } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError } from '../framework/command-error.ts';
import { faultOf, isLive } from './domain-report.ts';

interface Watch {
  poll(): Promise<DomainReport>;
  /** Called with every report. */
  update(report: DomainReport): void;
  readonly timeoutMs: number;
  /** The longest time between two polls. */
  readonly intervalMs: number;
  /** End when so many checks in a row have found the same wrong records; without it they do not end the watch. */
  readonly sameFaults?: number | undefined;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Why a watch ended: the domain is live, has failed or is being removed; its records stay wrong; the time was over. */
type End = 'decided' | 'same_fault' | 'timeout';

/** Errors after which the next poll may succeed. */
const TEMPORARY_CODES = ['network', 'unavailable', 'function_error'];
const MAX_CONSECUTIVE_FAILURES = 3;

/** The wait grows by a second with each poll, because most changes come at the beginning. */
const BACKOFF_STEP_MS = 1_000;

/** Polls a domain until the watch ends. Missing records do not end it, because somebody may be creating them. */
export async function watchDomain(
  first: DomainReport,
  watch: Watch,
): Promise<{ readonly report: DomainReport; readonly end: End }> {
  const { poll, update, timeoutMs, intervalMs, sameFaults, now = Date.now, sleep = sleepFor } = watch;
  const endMs = now() + timeoutMs;
  const countFaults = faultCounter(first);
  let report = first;
  let failures = 0;
  update(report);
  for (let polls = 1; ; polls += 1) {
    if (isDecided(report)) return { report, end: 'decided' };
    if (sameFaults !== undefined && countFaults(report) >= sameFaults) return { report, end: 'same_fault' };
    if (now() >= endMs) return { report, end: 'timeout' };
    await sleep(Math.min(polls * BACKOFF_STEP_MS, intervalMs, endMs - now()));
    try {
      report = await poll();
      failures = 0;
      update(report);
    } catch (error) {
      failures += 1;
      const isTemporary = error instanceof CommandError && TEMPORARY_CODES.includes(error.code);
      if (!isTemporary || failures === MAX_CONSECUTIVE_FAILURES) throw error;
    }
  }
}

/**
 * Counts how many checks in a row have found the same fault. A check is known by its time; that of the first report was
 * made before the watch, perhaps in an earlier verification.
 */
function faultCounter(first: DomainReport): (report: DomainReport) => number {
  let checkedAt = first.checkedAt;
  let fault: string | undefined;
  let count = 0;
  return report => {
    if (report.checkedAt === checkedAt) return count;
    checkedAt = report.checkedAt;
    const found = faultOf(report);
    if (found === undefined) count = 0;
    else count = found === fault ? count + 1 : 1;
    fault = found;
    return count;
  };
}

function isDecided(report: DomainReport): boolean {
  return isLive(report) || report.status === 'failed' || report.status === 'removing';
}
