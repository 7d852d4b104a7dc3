import type { Domain } from './domain.ts';
import { timeOf } from './history.ts';

/** An unverified claim ends after this time: nobody has proven the name by it, and its certificate counts in ACM's quota. */
export const UNVERIFIED_CLAIM_DAYS = 7;

/** How many unverified claims a project may have at a time. */
export const MAX_UNVERIFIED_CLAIMS = 20;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * When an unverified claim ends by itself: seven days after it was added, or after its last verification was started. Null
 * for a claim that is proven, being verified (which ends within 48 hours) or being removed.
 */
export function claimEndsAt({ status, provenAt, createdAt, verifyStartedAt }: Domain): string | null {
  if (provenAt !== null || (status !== 'pending_dns' && status !== 'failed')) return null;
  return timeOf(Date.parse(verifyStartedAt ?? createdAt) + UNVERIFIED_CLAIM_DAYS * DAY_MS);
}

export function hasExpired(claim: Domain, nowMs: number): boolean {
  const endsAt = claimEndsAt(claim);
  return endsAt !== null && Date.parse(endsAt) <= nowMs;
}
