import type { Clock } from '../clock.ts';
import type { Domain } from './domain.ts';
import { isAttached, isInFlow, isReady } from './domain-status.ts';
import { certificateSpentAt, claimEndsAt, READY_DAYS, REMINDER_DAYS, waitsSince } from './waits.ts';

/** How often the scheduled reconcile looks for what is due. */
export const RECONCILE_MINUTES = 5;

/** How often the outbox of events is published. */
export const PUBLISH_MINUTES = 2;

const MINUTE_MS = 60 * 1000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** How often an attached domain is looked at in full: its records, its certificate and its state at API Gateway. */
export const FULL_AFTER_MS = DAY_MS;

/** The state machine retries a failing pass for 9 minutes; after this time, it has given up. */
export const LOST_AFTER_MS = 15 * MINUTE_MS;

/** The part of a wait in which functions start and work, which is never scaled. */
const WORK_MS = MINUTE_MS;

/** How late an attached domain's worker may be before somebody else takes over. */
const LATE_MS = 5 * MINUTE_MS;

/** How many executions in a row may end before completing a pass: together that's more than an hour. */
export const MAX_RESTARTS = 5;

/**
 * What there is to do for a claim. `begin`: what a command asked for; `restart`: a wait was long, or its execution failed, was
 * stopped or never started; `end`: nobody proved it in time; `pass`: look at it in full.
 */
type Work = 'begin' | 'restart' | 'end' | 'pass';

/** When each is due for a claim: the scheduled reconcile then does it, if nobody else has. */
function duesOf(claim: Domain, clock: Pick<Clock, 'scaled'>): Partial<Record<Work, number>> {
  if (isAttached(claim)) return { pass: passDueMs(claim, clock) };
  const begin = isUnreconciled(claim) ? Date.parse(waitsSince(claim)) : Number.NaN;
  const end = Date.parse(claimEndsAt(claim, clock) ?? '');
  return isInFlow(claim)
    ? { begin, restart: restartDueMs(claim, clock), end }
    : { begin, end, pass: Date.parse(certificateSpentAt(claim, clock) ?? '') };
}

function restartDueMs(claim: Domain, clock: Pick<Clock, 'scaled'>): number {
  const { nextCheckAt, isResting } = claim;
  const awaitedMs = Date.parse(nextCheckAt ?? waitsSince(claim));
  return isResting ? awaitedMs : awaitedMs + WORK_MS + clock.scaled(LOST_AFTER_MS - WORK_MS);
}

function passDueMs(claim: Domain, clock: Pick<Clock, 'scaled'>): number {
  const awaitedMs = Date.parse(claim.nextCheckAt ?? '') + clock.scaled(LATE_MS);
  const fullMs = Date.parse(claim.checkedAt ?? claim.createdAt) + clock.scaled(FULL_AFTER_MS);
  return earliest([awaitedMs, fullMs, switchDueMs(claim, clock)]) ?? Number.NaN;
}

/** When the owner of a ready domain is reminded that its time is running out, or when it ends. */
function switchDueMs(claim: Domain, clock: Pick<Clock, 'scaled'>): number {
  if (!isReady(claim)) return Number.NaN;
  const days = claim.remindedAt === null ? READY_DAYS - REMINDER_DAYS : READY_DAYS;
  return Date.parse(claim.readyAt ?? '') + clock.scaled(days * DAY_MS);
}

function earliest(times: readonly number[]): number | undefined {
  const known = times.filter(ms => !Number.isNaN(ms));
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** When the next thing is due for a claim; undefined if nothing is. */
export function dueAtMs(claim: Domain, clock: Pick<Clock, 'scaled'>): number | undefined {
  return earliest(Object.values(duesOf(claim, clock)));
}

/** Since when this kind of work has been due for a claim; undefined if it isn't. */
export function dueSinceMs(
  claim: Domain,
  work: Work,
  clock: Pick<Clock, 'scaled' | 'now'>,
): number | undefined {
  const atMs = duesOf(claim, clock)[work];
  return atMs !== undefined && atMs <= clock.now() ? atMs : undefined;
}

export function isDue(claim: Domain, work: Work, clock: Pick<Clock, 'scaled' | 'now'>): boolean {
  return dueSinceMs(claim, work, clock) !== undefined;
}

/**
 * Whether AWS may not reflect the record yet: the flow that a command asked for hasn't run its first pass, or ACM hasn't named
 * the claim's validation records.
 */
export function isUnreconciled({ status, certificate, rounds, nextCheckAt }: Domain): boolean {
  const hasNoStep = rounds === 0 && nextCheckAt === null;
  switch (status) {
    case 'pending_dns':
      return certificate.validations.length === 0;
    case 'verifying':
    case 'removing':
      return hasNoStep;
    case 'issuing':
    case 'ready':
    case 'live':
    case 'needs_attention':
    case 'failed':
    case 'stalled':
      return false;
    default:
      return status satisfies never;
  }
}
