import type { Domain } from './domain.ts';
import { factsOfReason } from './domain-reason.ts';
import { isBeingRemoved, isInFlow, isServed, needsAttention, STATUSES } from './domain-status.ts';
import { waitsSince } from './waits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * ACM renews a certificate that lives 395 days 60 days before it expires, and one that lives 198 days 45 before. Lifetimes
 * go down to 47 days by 2029. One with less left than 30 days and 15 % of its life is stuck.
 */
export const EXPIRES_SOON_MS = 30 * DAY_MS;
export const EXPIRES_SOON_SHARE = 0.15;

/** How the domains of an environment are, in numbers. Alarms and the dashboard have metrics of these names. */
export interface DomainCounts extends Record<string, number> {
  readonly domains: number;
  readonly live: number;
  /** Ready and live domains that are not as they should be, and removals that stalled: all wait for somebody. */
  readonly needAttention: number;
  /** An older failure is not counted: it would hide the next one behind an alarm that never ends. */
  readonly failedWithinADay: number;
  /** Verifications and removals that have been running for longer than a day, and not because an owner has something to do. */
  readonly waitingLongerThanADay: number;
  /** Live domains whose certificate should have been renewed by now. */
  readonly certificatesExpiringSoon: number;
}

export function domainCounts(domains: readonly Domain[], nowMs: number): DomainCounts {
  const count = (isCounted: (domain: Domain) => boolean) => domains.filter(isCounted).length;
  const isOlderThanADay = (time: string) => nowMs - Date.parse(time) > DAY_MS;
  return {
    domains: domains.length,
    live: count(isServed),
    needAttention: count(needsAttention),
    failedWithinADay: count(
      domain =>
        STATUSES[domain.status].group === 'failed' &&
        !isOlderThanADay(domain.history.at(-1)?.at ?? waitsSince(domain)),
    ),
    waitingLongerThanADay: count(domain => {
      const since = waitingSince(domain);
      return since !== undefined && isOlderThanADay(since);
    }),
    certificatesExpiringSoon: count(domain => isServed(domain) && expiresSoon(domain, nowMs)),
  };
}

function expiresSoon({ certificate: { validFrom, expiresAt } }: Domain, nowMs: number): boolean {
  if (!expiresAt) return false;
  const endMs = Date.parse(expiresAt);
  const lifetimeMs = validFrom ? endMs - Date.parse(validFrom) : Number.POSITIVE_INFINITY;
  return endMs - nowMs < Math.min(EXPIRES_SOON_MS, lifetimeMs * EXPIRES_SOON_SHARE);
}

/** When the flow that the domain is in was started; undefined for a domain that waits for nothing, or for its owner. */
function waitingSince(domain: Domain): string | undefined {
  const { verifyStartedAt, reason } = domain;
  if (isBeingRemoved(domain)) return waitsSince(domain);
  const isOurs = reason === null || ['operator', 'service'].includes(factsOfReason(reason).needs ?? '');
  return isInFlow(domain) && isOurs ? (verifyStartedAt ?? waitsSince(domain)) : undefined;
}
