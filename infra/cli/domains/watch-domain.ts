import { setTimeout as sleepFor } from 'node:timers/promises';
import type { DomainReport } from '../../../shared/operator/contract.ts';
import { CommandError } from '../command-error.ts';
import { isLive } from './domain-report.ts';

interface Watch {
  poll(): Promise<DomainReport>;
  /** Called with every report. */
  update(report: DomainReport): void;
  readonly timeoutMs: number;
  /** The longest time between two polls. */
  readonly intervalMs: number;
  readonly now?: () => number;
  readonly sleep?: (ms: number) => Promise<unknown>;
}

/** Errors after which the next poll may succeed. */
const TEMPORARY_CODES = ['network', 'unavailable', 'function_error'];
const MAX_CONSECUTIVE_FAILURES = 3;

/** The wait grows by a second with each poll, because most changes come at the beginning. */
const BACKOFF_STEP_MS = 1_000;

/**
 * Polls a domain until it is live, has failed, is being removed, or the timeout is over; returns the last report. Missing
 * records do not end it, because somebody may be creating them.
 */
export async function watchDomain(first: DomainReport, watch: Watch): Promise<DomainReport> {
  const { poll, update, timeoutMs, intervalMs, now = Date.now, sleep = sleepFor } = watch;
  const endMs = now() + timeoutMs;
  let report = first;
  let failures = 0;
  update(report);
  for (let polls = 1; !isOver(report) && now() < endMs; polls += 1) {
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
  return report;
}

function isOver(report: DomainReport): boolean {
  return isLive(report) || report.status === 'failed' || report.status === 'removing';
}
