import type { Domain } from './domain.ts';
import { isBeingRemoved, isInFlow, isServed, STATUSES } from './domain-status.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** ACM renews a certificate 60 days before it expires, or 45: one with less than this left is stuck. */
const EXPIRES_SOON_MS = 30 * DAY_MS;

/** How the domains of an environment are, in numbers. Alarms and the dashboard have metrics of these names. */
export interface DomainCounts extends Record<string, number> {
  readonly domains: number;
  readonly live: number;
  /** Live domains that are not as they should be, and removals that stalled: both wait for somebody. */
  readonly needAttention: number;
  /** An older failure is not counted: it would hide the next one behind an alarm that never ends. */
  readonly failedWithinADay: number;
  /** Verifications and removals that have been running for longer than a day. */
  readonly waitingLongerThanADay: number;
  /** Live domains whose certificate expires within 30 days. */
  readonly certificatesExpiringSoon: number;
}

export function domainCounts(domains: readonly Domain[], nowMs: number): DomainCounts {
  const count = (isCounted: (domain: Domain) => boolean) => domains.filter(isCounted).length;
  const isOlderThanADay = (time: string) => nowMs - Date.parse(time) > DAY_MS;
  return {
    domains: domains.length,
    live: count(isServed),
    needAttention: count(({ status }) => STATUSES[status].event === 'needs attention'),
    failedWithinADay: count(domain => domain.status === 'failed' && !isOlderThanADay(lastChangeOf(domain))),
    waitingLongerThanADay: count(domain => {
      const since = waitingSince(domain);
      return since !== undefined && isOlderThanADay(since);
    }),
    certificatesExpiringSoon: count(domain => {
      const { expiresAt } = domain.certificate;
      return isServed(domain) && !!expiresAt && Date.parse(expiresAt) - nowMs < EXPIRES_SOON_MS;
    }),
  };
}

function lastChangeOf({ history, phaseStartedAt }: Domain): string {
  return history.at(-1)?.at ?? phaseStartedAt;
}

/** When the flow that the domain is in was started; undefined for a domain that waits for nothing. */
function waitingSince(domain: Domain): string | undefined {
  const { verifyStartedAt, phaseStartedAt } = domain;
  if (isBeingRemoved(domain)) return phaseStartedAt;
  return isInFlow(domain) ? (verifyStartedAt ?? phaseStartedAt) : undefined;
}
