import type { Domain } from './domain.ts';

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
    live: count(({ status }) => status === 'live'),
    needAttention: count(
      ({ status, reason }) => (status === 'live' || status === 'removing') && reason !== null,
    ),
    failedWithinADay: count(domain => domain.status === 'failed' && !isOlderThanADay(lastChangeOf(domain))),
    waitingLongerThanADay: count(domain => {
      const since = waitingSince(domain);
      return since !== undefined && isOlderThanADay(since);
    }),
    certificatesExpiringSoon: count(({ status, certificate: { expiresAt } }) => {
      const isServed = status === 'live' && typeof expiresAt === 'string';
      return isServed && Date.parse(expiresAt) - nowMs < EXPIRES_SOON_MS;
    }),
  };
}

function lastChangeOf({ history, phaseStartedAt }: Domain): string {
  return history.at(-1)?.at ?? phaseStartedAt;
}

/** When the flow that the domain is in was started; undefined for a domain that waits for nothing. */
function waitingSince({ status, verifyStartedAt, phaseStartedAt }: Domain): string | undefined {
  if (status === 'verifying' || status === 'issuing') return verifyStartedAt ?? phaseStartedAt;
  return status === 'removing' ? phaseStartedAt : undefined;
}
