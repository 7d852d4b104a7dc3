import { type Clock, timeOf } from '../clock.ts';
import type { Domain } from './domain.ts';
import { isBeingRemoved, isInFlow, isServed } from './domain-status.ts';

const HALF_HOUR_SECONDS = 30 * 60;

/** DNS changes can take this long to be seen everywhere. */
export const DNS_DEADLINE_HOURS = 48;

/** A certificate that takes longer than this gets an explanation. */
export const CERTIFICATE_EXPLANATION_MINUTES = 30;

/** A domain that is ready stays so for this long, and its owner is reminded this long before its end. */
export const READY_DAYS = 30;
export const REMINDER_DAYS = 7;

/** When a domain that is ready at a time has to be switched. */
export function switchEndsAt(readyAtMs: number, clock: Pick<Clock, 'scaled'>): string {
  return timeOf(readyAtMs + clock.scaled(READY_DAYS * DAY_MS));
}

/** A domain whose traffic is not seen is ready after this many checks, about 12 minutes: it has not been switched yet. */
export const READY_AFTER_ROUNDS = 18;

/** A name goes to the project that proves it once every check for this long found no record of the other project. */
export const TAKEOVER_HOURS = 6;

/** A name that a project adds again within this time gets the same records. */
export const SAME_RECORDS_DAYS = 30;

/** ACM gives up validating after this time. */
export const CERTIFICATE_DEADLINE_HOURS = 72;

/** From the certificate until the domain points here. An apex at Route 53 can get its alias only then. */
export const ATTACHMENT_DEADLINE_HOURS = 48;

/** A certificate that is in use for longer is used by something else, not just by a slow AWS. */
export const REMOVAL_DEADLINE_HOURS = 7 * 24;

/** ACM allows 5,000 requests a year; one attempt must not use them up on one domain. */
export const MAX_CERTIFICATE_REQUESTS = 8;

/**
 * The backoff of checks: 15 s × 8, 60 s × 10, then 15 % more each time up to half an hour. That is about 131 rounds in
 * 48 hours, of 9 history events each: a twentieth of what an execution may have.
 */
export function waitSeconds(round: number): number {
  if (round < 8) return 15;
  if (round < 18) return 60;
  return Math.min(Math.round(60 * 1.15 ** (round - 17)), HALF_HOUR_SECONDS);
}

/** The backoff after another certificate was requested: from a minute, doubling. */
export function newRequestWaitSeconds(requests: number): number {
  return Math.min(60 * 2 ** requests, HALF_HOUR_SECONDS);
}

/** A certificate stays in use for minutes, at times for hours: every 5 minutes for an hour, then every half hour. */
export function inUseWaitSeconds(round: number): number {
  return round < 12 ? 300 : HALF_HOUR_SECONDS;
}

/** An unverified claim ends after this time: nobody has proven the name by it, and its certificate counts in ACM's quota. */
export const UNVERIFIED_CLAIM_DAYS = 7;

/** How many unverified claims a project may have at a time. */
export const MAX_UNVERIFIED_CLAIMS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When an unverified claim ends by itself: seven days after it was added, or after its last verification was started. Null
 * for a claim that is proven, being verified (which ends within 48 hours) or being removed.
 */
export function claimEndsAt(claim: Domain): string | null {
  const { provenAt, createdAt, verifyStartedAt } = claim;
  if (provenAt !== null || isInFlow(claim) || isServed(claim) || isBeingRemoved(claim)) return null;
  return timeOf(Date.parse(verifyStartedAt ?? createdAt) + UNVERIFIED_CLAIM_DAYS * DAY_MS);
}

export function hasExpired(claim: Domain, nowMs: number): boolean {
  const endsAt = claimEndsAt(claim);
  return endsAt !== null && Date.parse(endsAt) <= nowMs;
}
