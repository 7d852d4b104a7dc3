import { log } from '../../log.ts';
import type { Flows } from '../aws/flows.ts';
import type { Clock } from '../clock.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { isAttached, isBeingRemoved, isInFlow } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import { isUnreconciled } from '../life/reconciliation.ts';
import { failed, flowRestarted, removalStalled } from '../life/transitions.ts';
import { CERTIFICATE_DEADLINE_HOURS, REMOVAL_DEADLINE_HOURS } from '../life/waits.ts';
import { flowStep, stepEndings } from './flow-step.ts';

interface FlowWatchParts {
  readonly domains: DomainStore;
  readonly flows: Flows;
  readonly clock: Clock;
}

/**
 * Detects an execution that has ended before its domain was done: it failed, timed out, was stopped by hand, or exceeded
 * the limits of Step Functions. Another one goes on from the same phase, under the next attempt. A flow that
 * keeps ending is given up when every deadline has passed. Returns whether there was something to do.
 */
export function flowWatch({ domains, flows, clock }: FlowWatchParts) {
  const { hoursInPhase } = stepEndings(clock);

  /** The record after the end of its execution. */
  const afterEnd = (domain: Domain): Domain => {
    const isRemoval = isBeingRemoved(domain);
    const deadlineHours = isRemoval ? REMOVAL_DEADLINE_HOURS : CERTIFICATE_DEADLINE_HOURS;
    if (hoursInPhase(domain) <= deadlineHours) return flowRestarted(domain);
    const what = isRemoval ? 'The removal' : 'The verification';
    const again = isRemoval ? 'Remove the domain again' : 'Verify again';
    const message = `${what} kept stopping before it finished. ${again} to continue.`;
    const trouble = { reason: 'flow_ended', message } as const;
    return isRemoval ? removalStalled(domain, trouble, clock.now()) : failed(domain, trouble, clock.now());
  };

  const start = (domain: Domain) =>
    isBeingRemoved(domain) ? flows.startRemoval(domain) : flows.startVerification(domain);

  return async (domain: Domain): Promise<boolean> => {
    if (!isInFlow(domain)) return false;
    const state = await flows.stateOf(domain);
    if (state === 'absent' && !isUnreconciled(domain)) {
      // An earlier watch has ended between its commit and the start.
      await start(domain);
      return true;
    }
    if (state !== 'ended') return false;
    const next = nextRevision(afterEnd(domain));
    // The execution may have ended because the domain was done.
    if (!(await saveUnlessStale(domains, next))) return false;
    const { domain: name, project, status, attempt } = next;
    log.warn('The execution of a domain had ended.', { domain: name, project, status, attempt });
    if (isInFlow(next)) await start(next);
    return true;
  };
}

/** Records that a step of a verification or a removal kept failing, however often it was repeated. */
export function recordFailure({ domains, clock }: Pick<FlowWatchParts, 'domains' | 'clock'>) {
  const { fail } = stepEndings(clock);
  return flowStep(domains, 'removal', async domain => {
    if (isAttached(domain)) return { domain, outcome: 'failed' };
    const reason = 'internal_error';
    if (isBeingRemoved(domain)) {
      const message =
        "No longer served, but some of its AWS resources couldn't be deleted. Remove the domain again to continue.";
      return { domain: removalStalled(domain, { reason, message }, clock.now()), outcome: 'failed' };
    }
    const message = 'Something went wrong on our side. Verify again; if it happens again, tell us.';
    return fail(domain, { reason, message });
  });
}
