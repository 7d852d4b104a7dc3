import type { DomainStore } from '../life/domain-store.ts';
import { removalStalled } from '../life/transitions.ts';
import { flowStep, stepEndings } from './flow-step.ts';

interface RecordFailureParts {
  readonly domains: DomainStore;
  readonly now: () => number;
}

/** Records that a step of a verification or a removal kept failing, however often it was repeated. */
export function recordFailure({ domains, now }: RecordFailureParts) {
  const { fail } = stepEndings(now, 1);
  return flowStep(domains, 'live', async domain => {
    if (domain.status === 'live') return { domain, outcome: 'failed' };
    const reason = 'internal_error';
    if (domain.status === 'removing') {
      const message = 'No longer served, but not everything could be taken down. Remove it again to go on.';
      return { domain: removalStalled(domain, { reason, message }, now()), outcome: 'failed' };
    }
    const message = 'Something went wrong on our side. Verify again; if it happens again, tell us.';
    return fail(domain, { reason, message });
  });
}
