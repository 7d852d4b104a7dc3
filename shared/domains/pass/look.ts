import type { Clock } from '../clock.ts';
import type { Domain } from '../life/domain.ts';
import { hasVisitors } from '../life/domain-reason.ts';
import { isAttached, isReady } from '../life/domain-status.ts';
import type { Observed } from '../reach.ts';

const MINUTE_MS = 60 * 1000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/**
 * How often an attached domain is looked at, by HTTPS requests, which cost no control plane. A sweep comes every five
 * minutes and has a minute for looks: with 32 at a time and half a second each 3,840. So 1,000 that are ready or primary and
 * 10,000 others (833 a sweep) are looked at as often as this says. Of 10,000 that are ready each gets its turn within a quarter
 * of an hour, or half an hour where a request takes a second.
 */
export const LOOK_AFTER_MS = {
  /** Ready domains, whose switch is waited for, and primary ones, to which others lead: at every sweep. */
  often: 0,
  others: HOUR_MS - 5 * MINUTE_MS,
} as const;

/**
 * Where there is time, this often: a ready domain, since nobody but us would notice what its owner will need, and one with a
 * trouble, since its owner waits for us to see that it's solved.
 */
const SOONER_AFTER_MS = HOUR_MS;

/** Whether a domain that leads visitors here is to be looked at again. */
export function isLookDue(claim: Domain, isPrimary: boolean, clock: Clock): boolean {
  const afterMs = isPrimary || isReady(claim) ? LOOK_AFTER_MS.often : LOOK_AFTER_MS.others;
  return isAttached(claim) && clock.now() - lookedAtMs(claim) >= clock.scaled(afterMs);
}

/** When somebody looked at a domain last, by requests or in full. */
export function lookedAtMs({ lookedAt, checkedAt, createdAt }: Domain): number {
  return Math.max(...[lookedAt, checkedAt, createdAt].map(time => Date.parse(time ?? '') || 0));
}

/** Whether nobody has looked at an attached domain for over an hour: the sweeps have stopped, or have too much to do. */
export function isLookOverdue(claim: Domain, clock: Clock): boolean {
  return isAttached(claim) && clock.now() - lookedAtMs(claim) > clock.scaled(HOUR_MS);
}

/** Whether a look contradicts what the domain says, so that it has to be tended. */
export function isNews(claim: Domain, { edge, visitors }: Observed): boolean {
  const isUnclear = visitors.kind === 'unconfirmed' || (claim.isProxied && visitors.kind === 'unknown');
  const arrives = visitors.kind === 'reached';
  if (isReady(claim)) {
    const isPartial = !arrives && visitors.isPartial === true;
    return arrives || (claim.reason === null && (edge.kind !== 'reached' || isPartial));
  }
  return !isUnclear && arrives !== hasVisitors(claim);
}

/** Whether a domain would be tended, if there is time. */
export function isWorthALook(claim: Domain, clock: Clock): boolean {
  const isAwaited = isReady(claim) || (isAttached(claim) && claim.reason !== null);
  return isAwaited && clock.now() - Date.parse(claim.checkedAt ?? '') >= clock.scaled(SOONER_AFTER_MS);
}

/** How many days a domain has been ready. */
export function daysReady({ readyAt }: Domain, clock: Clock): number {
  return clock.unscaled(clock.now() - Date.parse(readyAt ?? '')) / DAY_MS;
}
