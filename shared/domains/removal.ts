import { inUseWaitSeconds, REMOVAL_DEADLINE_HOURS } from './backoff.ts';
import type { Certificates } from './certificates.ts';
import type { Domain } from './domain.ts';
import type { DomainStore } from './domain-store.ts';
import { flowStep, type Progress, progressAt } from './flow-step.ts';
import { GatewayBusy, type GatewayDomains } from './gateway-domains.ts';
import type { ManagedRecords } from './managed-records.ts';
import type { PlatformZone } from './platform-zone.ts';
import { turnTaking } from './turn-taking.ts';
import type { Turns } from './turns.ts';

export interface RemovalParts {
  readonly store: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly turns: Turns;
  readonly managedRecords: ManagedRecords;
  readonly now: () => number;
}

/**
 * Takes down everything that was made for a domain, until nothing is left. It begins when no step of an earlier attempt
 * can be running any more, so nothing is made behind its back.
 */
export function removal(parts: RemovalParts) {
  const { store, certificates, gateway, zone, turns, managedRecords, now } = parts;
  const { wait, hoursIn, time } = progressAt(now);

  const { waitForTurn, waitForAnotherTurn } = turnTaking(turns, now);

  /** Undefined when the domain name is gone, else what to do until it can be deleted. */
  const removeDomainName = async (domain: Domain): Promise<Progress | undefined> => {
    if ((await gateway.find(domain.domain)) === undefined) return undefined;
    const early = await waitForTurn(domain, {});
    if (early) return early;
    try {
      await gateway.remove(domain.domain);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayBusy)) throw error;
      return waitForAnotherTurn(domain, {});
    }
  };

  return {
    takeDown: flowStep(store, 'live', async before => {
      if (before.takenDownAt !== undefined) return { domain: before, outcome: 'done' };
      await gateway.unmap(before.domain);
      const unfinished = await removeDomainName(before);
      if (unfinished) return unfinished;
      const domain = { ...before, turnAt: null };
      await zone.remove(domain.target);
      await managedRecords.removeAll(domain);
      if (!(await certificates.removeAll(domain))) {
        const message =
          'No longer served. Its certificate is still in use and is deleted as soon as it can be.';
        if (hoursIn(domain) < REMOVAL_DEADLINE_HOURS) {
          return wait(domain, inUseWaitSeconds(domain.rounds), { message });
        }
        const late = 'No longer served, but its certificate is still in use. Remove it again to go on.';
        return { domain: { ...domain, reason: 'certificate_in_use', message: late }, outcome: 'ended' };
      }
      const message = 'No longer served. Everything is taken down; the name is free in a moment.';
      return { domain: { ...domain, takenDownAt: time(), message, nextCheckAt: null }, outcome: 'done' };
    }),
  };
}

/**
 * Forgets a domain of which nothing is left. The name is free from then on, so this is done when nobody who takes down can
 * be running any more: nothing is taken from the next claim of the name.
 */
export function forgetting(store: DomainStore) {
  return flowStep(store, 'live', async domain => ({
    domain,
    outcome: 'done',
    write: () => store.forget(domain),
  }));
}
