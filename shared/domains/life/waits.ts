import { type Clock, timeOf } from '../clock.ts';
import type { Domain } from './domain.ts';
import { isBeingRemoved } from './domain-status.ts';

const HALF_HOUR_SECONDS = 30 * 60;
const HOUR_SECONDS = 60 * 60;

/** DNS changes can take this long to spread everywhere. Whatever a claim waits for, it's late after this time. */
export const LATE_HOURS = 48;

/**
 * How long checks continue after the claim was added or last verified: owners leave DNS to somebody else. After that, an
 * unproven claim ends: nobody has proven the name, and its certificate counts towards ACM's quota.
 */
export const VERIFICATION_DAYS = 30;

/** A certificate that takes longer than this gets an explanation. */
export const CERTIFICATE_EXPLANATION_MINUTES = 30;

/** A domain stays ready for this long, and its owner is reminded this long before the end. */
export const READY_DAYS = 30;
export const REMINDER_DAYS = 7;

/** By when a domain that became ready at this time has to be switched. */
export function switchEndsAt(readyAtMs: number, clock: Pick<Clock, 'scaled'>): string {
  return timeOf(readyAtMs + clock.scaled(READY_DAYS * DAY_MS));
}

/**
 * A domain whose traffic doesn't arrive counts as ready after this many checks, about 12 minutes: it hasn't been switched
 * yet.
 */
export const READY_AFTER_ROUNDS = 18;

/** A name goes to the project that proves it once every check for this long found no record of the other project. */
export const TAKEOVER_HOURS = 6;

/** A name that a project adds again within this time gets the same records. */
export const SAME_RECORDS_DAYS = 30;

/** ACM gives up validating a certificate after this time. */
export const CERTIFICATE_PENDING_HOURS = 72;

/** If a certificate is in use for longer, something else uses it: AWS isn't just slow. */
export const REMOVAL_DEADLINE_HOURS = 7 * 24;

/** ACM allows 5,000 requests a year; one attempt must not use them up on one domain. */
export const MAX_CERTIFICATE_REQUESTS = 8;

/**
 * The backoff of checks: 15 s × 8, 60 s × 10, then 15 % more each time up to an hour, which is reached after eight hours.
 */
export function waitSeconds(round: number): number {
  if (round < 8) return 15;
  if (round < 18) return 60;
  return Math.min(Math.round(60 * 1.15 ** (round - 17)), HOUR_SECONDS);
}

/** Executions don't wait this long: their history would grow for a month. */
export const REST_SECONDS = HOUR_SECONDS;

/** The backoff after another certificate was requested: a minute, then doubling. */
export function newRequestWaitSeconds(requests: number): number {
  return Math.min(60 * 2 ** requests, HALF_HOUR_SECONDS);
}

/** A certificate stays in use for minutes, sometimes hours: look every 5 minutes for an hour, then every half hour. */
export function inUseWaitSeconds(round: number): number {
  return round < 12 ? 300 : HALF_HOUR_SECONDS;
}

/** How many unverified claims a project may have at a time. */
export const MAX_UNVERIFIED_CLAIMS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

/** When a verification is given up, or would be if it started now: a month after an operator last asked for that. */
export function verificationEndsAt(
  { createdAt, verifyStartedAt, isStartedByOwner }: Domain,
  clock: Pick<Clock, 'scaled'>,
): string {
  const askedAt = (isStartedByOwner ? null : verifyStartedAt) ?? createdAt;
  return timeOf(Date.parse(askedAt) + clock.scaled(VERIFICATION_DAYS * DAY_MS));
}

/** Since when a domain has been waiting for its next step. */
export function waitsSince(domain: Domain): string {
  const { removalStartedAt, issuedAt, verifiedAt, verifyStartedAt, createdAt } = domain;
  return removalStartedAt ?? issuedAt ?? verifiedAt ?? verifyStartedAt ?? createdAt;
}

/** When an unproven claim ends by itself; null if it's proven or being removed. */
export function claimEndsAt(claim: Domain, clock: Pick<Clock, 'scaled'>): string | null {
  return claim.provenAt !== null || isBeingRemoved(claim) ? null : verificationEndsAt(claim, clock);
}

/** When ACM gives up validating the certificate of an unproven claim that nobody looks at; null if there is none. */
export function certificateSpentAt(claim: Domain, clock: Pick<Clock, 'scaled'>): string | null {
  const { arn, status } = claim.certificate;
  if (claim.provenAt !== null || arn === null || status === 'ISSUED') return null;
  return timeOf(Date.parse(claim.createdAt) + clock.scaled(CERTIFICATE_PENDING_HOURS * HOUR_SECONDS * 1000));
}
