import { type Domain, nextRevision } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { takeDownLeased } from '../life/transitions.ts';
import type { Progress } from './flow-step.ts';

/** Longer than the time limit of the function, with a margin for clocks that differ. */
const LEASE_MS = 90_000;

/** Another delivery of the step is at work, or was stopped at it. The state machine retries until the lease is over. */
class StepBusy extends Error {
  override readonly name = 'StepBusy';
}

/**
 * Lets one delivery of `takeDown` work at a time. API Gateway deletes whatever has the name: a delivery that stalled
 * after it had looked whose it is could delete what others have created since another delivery took everything down.
 */
export function takeDownLease(domains: Pick<DomainStore, 'save'>, now: () => number, waitScale: number) {
  return async (domain: Domain, work: (leased: Domain) => Promise<Progress>): Promise<Progress> => {
    const { takeDownLeasedUntil } = domain;
    if (takeDownLeasedUntil !== undefined && Date.parse(takeDownLeasedUntil) > now()) {
      throw new StepBusy(`Another delivery takes ${domain.domain} down, until ${takeDownLeasedUntil}.`);
    }
    const leased = nextRevision(takeDownLeased(domain, now() + LEASE_MS * waitScale));
    await domains.save(leased);
    try {
      const progress = await work(leased);
      return { ...progress, domain: takeDownLeased(progress.domain) };
    } catch (error) {
      // Spares the retry the wait for the end of the lease. Where the record cannot be written either, it waits.
      await domains.save(nextRevision(takeDownLeased(leased))).catch(() => {});
      throw error;
    }
  };
}
