import { randomUUID } from 'node:crypto';
import { type Domain, nextRevision } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { takeDownLeased, takeDownReleased } from '../life/transitions.ts';
import type { Progress } from './flow-step.ts';

/** The 55 s that the function may take, and a margin for clocks that differ. */
export const LEASE_MS = 90_000;

/** Another delivery of the step is at work, or was stopped at it. The state machine retries until the lease is over. */
class StepBusy extends Error {
  override readonly name = 'StepBusy';
}

/**
 * Lets one delivery of `takeDown` work at a time. API Gateway deletes whatever has the name: a delivery that stalled
 * after it had looked whose it is could delete what others have created since another delivery took everything down. The
 * second delivery fails rather than waits, so that a step which is stopped every time is given up as any other is.
 */
export function takeDownLease(domains: Pick<DomainStore, 'save'>, now: () => number, waitScale: number) {
  return async (domain: Domain, work: (domain: Domain) => Promise<Progress>): Promise<Progress> => {
    const { takeDownLease: held } = domain;
    if (held !== undefined && Date.parse(held.until) > now()) {
      throw new StepBusy(`Another delivery takes ${domain.domain} down, until ${held.until}.`);
    }
    // The holder tells two leases apart that end at the same time: the store takes a write of the same text for its own.
    const holding = nextRevision(takeDownLeased(domain, randomUUID(), now() + LEASE_MS * waitScale));
    await domains.save(holding);
    try {
      const progress = await work(holding);
      return { ...progress, domain: takeDownReleased(progress.domain) };
    } catch (error) {
      // Spares the retry the wait for the end of the lease. Where the record cannot be written either, it waits.
      await domains.save(nextRevision(takeDownReleased(holding))).catch(() => {});
      throw error;
    }
  };
}
