import { timeOf } from '../clock.ts';
import { changed, NO_WAIT, withoutCertificate } from './change.ts';
import { type Domain, NO_CERTIFICATE } from './domain.ts';
import type { DomainName } from './domain-name.ts';
import { isAttached, isInFlow, STATUSES } from './domain-status.ts';
import { isUnreconciled } from './due.ts';
import { READY_AFTER_ROUNDS } from './waits.ts';

/** What people ask for. Commands write only this; passes do the work. */

/** What a claim has besides its name. */
type NewClaim = Pick<Domain, 'project' | 'target' | 'challenge' | 'pointsAt' | 'switchLater' | 'contest'>;

/** A name with the zone that it is in. */
type ClaimedName = DomainName & Pick<Domain, 'zone' | 'nameServers'>;

/** The marks of a verification at its start. */
const NO_MARKS = {
  verifiedAt: null,
  issuedAt: null,
  attachedAt: null,
  readyAt: null,
  remindedAt: null,
  liveAt: null,
  failedAt: null,
} as const;

/** A project has claimed a name. */
export function claimed(name: ClaimedName, claim: NewClaim, nowMs: number): Domain {
  return {
    ...name,
    ...claim,
    ...NO_WAIT,
    status: 'pending_dns',
    message: recordsToCreate(claim),
    // Both start at the current time, so they're above any earlier claim's of the same name: its wake-ups have nothing left
    // to do.
    attempt: Math.floor(nowMs / 1000),
    revision: nowMs,
    gateway: null,
    route: null,
    certificate: NO_CERTIFICATE,
    records: [],
    managed: [],
    checkedAt: null,
    createdAt: timeOf(nowMs),
    verifyStartedAt: null,
    ...NO_MARKS,
    provenAt: null,
    removalStartedAt: null,
    history: [{ at: timeOf(nowMs), status: 'pending_dns', what: 'Added.' }],
  };
}

/** The owner prepares the domain first, and switches its traffic later. */
export function switchPostponed(claim: Domain, nowMs: number): Domain {
  const message = claim.verifyStartedAt === null ? recordsToCreate({ switchLater: true }) : claim.message;
  return changed(claim, { switchLater: true, message }, nowMs);
}

function recordsToCreate({ switchLater }: Pick<Domain, 'switchLater'>): string {
  const which = switchLater ? 'the ownership and certificate records' : 'the records';
  return `Create ${which} at your DNS provider, then verify.`;
}

/** What a new verification does about the certificate: it's kept, was lost, or was pending for too long. */
export type CertificateFate = 'kept' | 'lost' | 'delayed';

/** The contest of a claim whose TXT record doesn't prove another project's name yet, or isn't alone. */
export const NOT_PROVEN: NonNullable<Domain['contest']> = { since: null };

/** An operator has asked for a verification: a new attempt with the same records. */
export function verificationStarted(
  claim: Domain,
  fate: CertificateFate,
  nowMs: number,
  { isContested = false } = {},
): Domain {
  const { attempt, certificate, reason } = claim;
  const { requests, arn } = certificate;
  const next = {
    // A delayed certificate that was replaced too often keeps its count, so that re-verifying doesn't lift the limit.
    kept: { ...certificate, requests: reason === 'certificate_delayed' ? requests : 0 },
    lost: { ...withoutCertificate(claim), requests: 0 },
    // Requests are counted across attempts: they must not use up what ACM allows in a year.
    delayed: { ...withoutCertificate(claim), ...(arn !== null && { replaces: arn }) },
  } as const;
  const changes = {
    ...NO_WAIT,
    ...NO_MARKS,
    attempt: attempt + 1,
    message: 'Looking for the records.',
    verifyStartedAt: timeOf(nowMs),
    isStartedByOwner: undefined,
    lateAt: undefined,
    // Only a running verification has been checking all that time.
    contest: isContested ? ((isInFlow(claim) ? claim.contest : undefined) ?? NOT_PROVEN) : undefined,
    certificate: next[fate],
  };
  return changed(claim, changes, nowMs);
}

/** An execution continues with an attached domain, by this time at the latest. */
export function leftToWorker(claim: Domain, untilMs: number, nowMs: number): Domain {
  return changed(claim, { attempt: claim.attempt + 1, nextCheckAt: timeOf(untilMs) }, nowMs);
}

/**
 * The owner of the domain has asked for a look: a claim that waits for a verification gets one, and any other is due now. Nothing
 * is lengthened, replaced, or tried again after it has failed.
 */
export function lookAsked(claim: Domain, asks: Domain['asks'], nowMs: number): Domain {
  const { status, attempt, rounds, contest, certificate } = claim;
  const { awaits, flow } = STATUSES[status];
  const isNew = awaits === 'verification';
  // What a command or a sweep is about to begin comes first: the host, and the certificate that is requested after it.
  const isBegun = isNew ? certificate.arn !== null || !isUnreconciled(claim) : !isUnreconciled(claim);
  if (!isBegun) return changed(claim, { asks }, nowMs);
  if (isNew) {
    const started = verificationStarted(claim, 'kept', nowMs, { isContested: contest !== undefined });
    return changed(started, { asks, isStartedByOwner: true }, nowMs);
  }
  if (flow !== 'verification' && !isAttached(claim)) return changed(claim, { asks }, nowMs);
  const now = {
    attempt: attempt + 1,
    // Looks are frequent again, but not so that it's ready any later.
    rounds: Math.min(rounds, READY_AFTER_ROUNDS),
    nextCheckAt: timeOf(nowMs),
    isResting: undefined,
  };
  return changed(claim, { ...now, asks }, nowMs);
}

/** The domain now belongs to another project. Its claim keeps its host, certificate and domain name. */
export function moved(claim: Domain, to: string, nowMs: number): Domain {
  const said = { event: 'moved', message: `Moved here from project ${claim.project}.` } as const;
  return changed(claim, { project: to }, nowMs, said);
}

interface RemovalCause {
  readonly message?: string;
  /** Whether another project has proven the name. */
  readonly isTakenOver?: boolean;
}

/** An operator removed the domain, or its claim ended: a new attempt, which supersedes any verification. */
export function removalStarted(
  claim: Domain,
  nowMs: number,
  {
    message = claim.liveAt === null ? 'The claim has ended.' : 'No longer served.',
    isTakenOver = false,
  }: RemovalCause = {},
): Domain {
  const changes = {
    ...NO_WAIT,
    removalStartedAt: timeOf(nowMs),
    attempt: claim.attempt + 1,
    message,
    unmappedUntil: undefined,
    isUnmapped: undefined,
  };
  return changed(claim, changes, nowMs, { event: isTakenOver ? 'taken over' : undefined });
}
