import { log } from './log.ts';

/** What a scheduled function logs at the end of a run. The line is its heartbeat: an alarm fires when it is missing. */
export const RUN_COMPLETED = 'The scheduled run is complete.';

/** Logs that a scheduled run has succeeded, with what it counted. Metric filters read the counts. */
export function logCompletedRun(counts: Readonly<Record<string, number>> = {}): void {
  log.info(RUN_COMPLETED, counts);
}
