import type { Clock } from '../clock.ts';
import type { Domain } from './domain.ts';
import { isBeingRemoved, isUnmapped } from './domain-status.ts';

/** How often the scheduled reconcile looks for domains that a command left unreconciled. */
export const RECONCILE_MINUTES = 5;

/** How often the outbox of events is published. */
export const PUBLISH_MINUTES = 2;

/**
 * Whether AWS may not know yet what the record says: the flow that a command asked for has not run its first step, or
 * ACM has not named the validation records of a claim.
 */
export function isUnreconciled(domain: Domain): boolean {
  const { status, certificate, rounds, nextCheckAt, takenDownAt } = domain;
  const hasNoStep = rounds === 0 && nextCheckAt === null;
  switch (status) {
    case 'pending_dns':
      return certificate.validations.length === 0;
    case 'verifying':
      return hasNoStep;
    case 'removing':
      return hasNoStep && takenDownAt === undefined;
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

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Whether a domain that must not be mapped, such as one that failed, may still be. The steps before the attachment can't
 * delete a mapping, which a domain has that was live before, and the last one may end before it does. After a day of
 * reconciles there is none.
 */
export function mayBeMapped(domain: Domain, nowMs: number): boolean {
  const { phase, gateway, history } = domain;
  const wasAttached = gateway !== null || phase === 'attachment';
  const isLeft = isUnmapped(domain) && !isBeingRemoved(domain);
  return isLeft && wasAttached && nowMs - Date.parse(history.at(-1)?.at ?? '') < DAY_MS;
}

/** The wait of 90 s that starts a removal, minus the 55 s that a function may run, minus a margin. */
const NEW_REMOVAL_MS = 30 * 1000;

/** Whether a function that runs now has ended before the flow of this removal deletes anything. */
export function isNewRemoval({ phaseStartedAt }: Domain, nowMs: number): boolean {
  return nowMs - Date.parse(phaseStartedAt) < NEW_REMOVAL_MS;
}

/** A removal first waits 90 s for running steps; what has not begun after this time, the command did not reconcile. */
const OVERDUE_MS = 3 * 60 * 1000;

/** The part of that time in which functions start and work, which is never scaled. */
const WORK_MS = 10 * 1000;

/** Whether the command that asked for this must have ended before it was reconciled. */
export function isOverdue(domain: Domain, clock: Clock): boolean {
  const limitMs = WORK_MS + clock.scaled(OVERDUE_MS - WORK_MS);
  return isUnreconciled(domain) && clock.now() - Date.parse(domain.phaseStartedAt) > limitMs;
}
