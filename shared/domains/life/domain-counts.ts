import type { Domain } from './domain.ts';
import { factsOfReason } from './domain-reason.ts';
import { isBeingRemoved, isInFlow, isServed, needsAttention, STATUSES } from './domain-status.ts';
import { waitsSince } from './waits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * ACM renews a 395-day certificate 60 days before it expires, and a 198-day one 45 days before. Lifetimes go down to 47 days by
 * 2029. A certificate with less than 30 days and less than 15% of its life left is stuck.
 */
export const EXPIRES_SOON_MS = 30 * DAY_MS;
export const EXPIRES_SOON_SHARE = 0.15;

/** The state of an environment's domains in numbers. Alarms and the dashboard have metrics with these names. */
export interface DomainCounts extends Record<string, number> {
  readonly domains: number;
  readonly live: number;
  /** Ready and live domains that aren't as they should be, and stalled removals: all wait for somebody. */
  readonly needAttention: number;
  /** Older failures don't count: they'd hide the next one behind an alarm that never ends. */
  readonly failedWithinADay: number;
  /** Verifications and removals running for longer than a day, but not because an owner has something to do. */
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

/** When the domain's current flow was started; undefined if it waits for nothing, or for its owner. */
function waitingSince(domain: Domain): string | undefined {
  const { verifyStartedAt, reason } = domain;
  if (isBeingRemoved(domain)) return waitsSince(domain);
  const isOurs = reason === null || ['operator', 'service'].includes(factsOfReason(reason).needs ?? '');
  return isInFlow(domain) && isOurs ? (verifyStartedAt ?? waitsSince(domain)) : undefined;
}
