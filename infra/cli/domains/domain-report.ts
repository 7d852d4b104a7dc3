import type { DomainRecord, DomainReport } from '../../../shared/operator/contract.ts';
import { EXIT_CODES } from '../command-error.ts';

/** States that only the owner of the domain can change. An unreachable DNS server usually recovers by itself. */
const STATES_TO_ACT_ON: readonly DomainRecord['state'][] = ['missing', 'mismatch', 'conflict'];

/** Reasons that pass without the owner: the certificate takes long, a record spreads, a DNS server is unreachable. */
const WAITING_REASON = /_(spreading|unreachable)$/;

/** Whether the domain is served and its last check found nothing wrong. */
export function isLive({ status, reason }: DomainReport): boolean {
  return status === 'live' && reason === null;
}

/** Whether the domain waits for its owner, and not for DNS, its certificate or this service. */
export function needsAction({ status, reason, records }: DomainReport): boolean {
  switch (status) {
    case 'failed':
      return true;
    case 'live':
      return reason !== null;
    case 'removing':
      return false;
    default:
      return (
        records.some(({ state, action }) => STATES_TO_ACT_ON.includes(state) && action !== null) ||
        (reason !== null && !WAITING_REASON.test(reason))
      );
  }
}

/** For the help of the commands whose exit code depends on the state of the domain. */
export const EXIT_CODES_TEXT = `Exit codes: ${EXIT_CODES.done} live, ${EXIT_CODES.error} error, ${EXIT_CODES.usage} usage, ${EXIT_CODES.actionNeeded} an action of yours is needed, ${EXIT_CODES.pending} still pending.`;

export function exitCodeOf(report: DomainReport): number {
  if (isLive(report)) return EXIT_CODES.done;
  return needsAction(report) ? EXIT_CODES.actionNeeded : EXIT_CODES.pending;
}
