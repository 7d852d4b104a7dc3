import type { Certificates } from '../aws/certificates.ts';
import { GatewayBusy, type GatewayDomains } from '../aws/gateway-domains.ts';
import type { GatewaySlots } from '../aws/gateway-slots.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { inUseWaitSeconds, REMOVAL_DEADLINE_HOURS } from '../life/backoff.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { flowStep, type Progress, progressAt } from './flow-step.ts';
import type { ManagedRecords } from './managed-records.ts';
import { slotBooking } from './slot-booking.ts';

export interface RemovalParts {
  readonly store: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly slots: GatewaySlots;
  readonly managedRecords: ManagedRecords;
  readonly now: () => number;
}

/**
 * Takes down everything that was made for a domain, until nothing is left. It begins when no step of an earlier attempt
 * can be running any more, so nothing is made behind its back.
 */
export function removal(parts: RemovalParts) {
  const { store, certificates, gateway, zone, slots, managedRecords, now } = parts;
  const { wait, hoursIn, time } = progressAt(now);

  const { waitForSlot, waitForAnotherSlot } = slotBooking(slots, now);

  /** Undefined when the domain name is gone, else what to do until it can be deleted. */
  const removeDomainName = async (domain: Domain): Promise<Progress | undefined> => {
    if ((await gateway.find(domain.domain)) === undefined) return undefined;
    const early = await waitForSlot(domain, {});
    if (early) return early;
    try {
      await gateway.remove(domain.domain);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayBusy)) throw error;
      return waitForAnotherSlot(domain, {});
    }
  };

  return {
    takeDown: flowStep(store, 'live', async before => {
      if (before.takenDownAt !== undefined) return { domain: before, outcome: 'done' };
      await gateway.unmap(before.domain);
      const unfinished = await removeDomainName(before);
      if (unfinished) return unfinished;
      const domain = { ...before, slotAt: null };
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
