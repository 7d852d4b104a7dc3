import type { Clock } from '../clock.ts';
import type { Domain } from './domain.ts';
import { isInFlow } from './domain-status.ts';
import { waitsSince } from './waits.ts';

/** How often the scheduled reconcile looks for domains that a command left unreconciled. */
export const RECONCILE_MINUTES = 5;

/** How often the outbox of events is published. */
export const PUBLISH_MINUTES = 2;

/**
 * Whether AWS may not know yet what the record says: the flow that a command asked for has not run its first pass, or
 * ACM has not named the validation records of a claim.
 */
export function isUnreconciled(domain: Domain): boolean {
  const { status, certificate, rounds, nextCheckAt } = domain;
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

/** A command lives for 55 s; what has not begun after this time, it did not reconcile. */
const COMMAND_MS = 3 * 60 * 1000;

/** The part of a time in which functions start and work, which is never scaled. */
const WORK_MS = 10 * 1000;

/** Whether the command that asked for this must have ended before it was reconciled. */
export function isOverdue(domain: Domain, clock: Clock): boolean {
  const limitMs = WORK_MS + clock.scaled(COMMAND_MS - WORK_MS);
  return isUnreconciled(domain) && clock.now() - Date.parse(waitsSince(domain)) > limitMs;
}

/** The state machine repeats a pass that fails for 9 minutes; after this time it does so no more. */
export const LOST_AFTER_MS = 15 * 60 * 1000;
const STEP_WORK_MS = 60 * 1000;

/** How many executions in a row may end before a pass of theirs is done: together that is more than an hour. */
export const MAX_RESTARTS = 5;

/** Whether a pass is due and nobody is to do it: there's no execution, or it has failed, was stopped, or was never started. */
export function isFlowLost(domain: Domain, clock: Clock): boolean {
  const overMs = clock.now() - Date.parse(domain.nextCheckAt ?? waitsSince(domain));
  const isOver = domain.isResting
    ? overMs >= 0
    : overMs > STEP_WORK_MS + clock.scaled(LOST_AFTER_MS - STEP_WORK_MS);
  return isInFlow(domain) && isOver;
}
