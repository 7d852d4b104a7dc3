import type { Clock } from '../clock.ts';
import type { Domain } from '../life/domain.ts';
import { hasVisitors } from '../life/domain-reason.ts';
import { isAttached, isReady } from '../life/domain-status.ts';
import type { Observed } from '../reach.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How often to look at an attached domain, with HTTPS requests, which need no control plane. A sweep runs every five minutes and
 * has a minute for looks: at 32 at a time and half a second each, that's 3,840. So 1,000 ready or primary domains and 10,000
 * others (833 per sweep) are looked at this often. Out of 10,000 ready ones, each gets its turn within a quarter of an hour, or
 * half an hour if a request takes a second.
 */
export const LOOK_AFTER_MS = {
  /** In every sweep: ready domains, which may be switched any time, and primary ones, which others lead to. */
  often: 0,
  others: HOUR_MS - 5 * MINUTE_MS,
} as const;

/**
 * If there's time, this often: a ready domain, since nobody but us would notice what its owner will need, and one with a trouble,
 * since its owner is waiting for us to notice that it's solved.
 */
const SOONER_AFTER_MS = HOUR_MS;

/** Whether it's time to look at an attached domain again. */
export function isLookDue(claim: Domain, isPrimary: boolean, clock: Clock): boolean {
  const afterMs = isPrimary || isReady(claim) ? LOOK_AFTER_MS.often : LOOK_AFTER_MS.others;
  return isAttached(claim) && clock.now() - lookedAtMs(claim) >= clock.scaled(afterMs);
}

/** When somebody last looked at a domain, by requests or in full. */
export function lookedAtMs({ lookedAt, checkedAt, createdAt }: Domain): number {
  return Math.max(...[lookedAt, checkedAt, createdAt].map(time => Date.parse(time ?? '') || 0));
}

/** Whether nobody has looked at an attached domain for over an hour: the sweeps stopped, or have too much to do. */
export function isLookOverdue(claim: Domain, clock: Clock): boolean {
  return isAttached(claim) && clock.now() - lookedAtMs(claim) > clock.scaled(HOUR_MS);
}

/** Whether a look contradicts what the domain says, so that it needs a pass. */
export function isNews(claim: Domain, { edge, visitors }: Observed): boolean {
  const isUnclear = visitors.kind === 'unconfirmed' || (claim.isProxied && visitors.kind === 'unknown');
  const arrives = visitors.kind === 'reached';
  if (isReady(claim)) {
    const isPartial = !arrives && visitors.isPartial === true;
    return arrives || (claim.reason === null && (edge.kind !== 'reached' || isPartial));
  }
  return !isUnclear && arrives !== hasVisitors(claim);
}

/** Whether a domain should get a pass if there's time. */
export function isWorthALook(claim: Domain, clock: Clock): boolean {
  const isAwaited = isReady(claim) || (isAttached(claim) && claim.reason !== null);
  return isAwaited && clock.now() - Date.parse(claim.checkedAt ?? '') >= clock.scaled(SOONER_AFTER_MS);
}

/** How many days a domain has been ready. */
export function daysReady({ readyAt }: Domain, clock: Clock): number {
  return clock.unscaled(clock.now() - Date.parse(readyAt ?? '')) / DAY_MS;
}
