import type { Certificates } from '../aws/certificates.ts';
import { GatewayBusy, type GatewayDomains } from '../aws/gateway-domains.ts';
import type { GatewaySlots } from '../aws/gateway-slots.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { inUseWaitSeconds, REMOVAL_DEADLINE_HOURS } from '../life/backoff.ts';
import type { Domain, Obstacle } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { removalStalled, takenDown } from '../life/transitions.ts';
import { flowStep, type Progress, stepEndings } from './flow-step.ts';
import type { ManagedRecords } from './managed-records.ts';
import { slotBooking } from './slot-booking.ts';
import { takeDownLease } from './take-down-lease.ts';

interface RemovalParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly slots: GatewaySlots;
  readonly managedRecords: ManagedRecords;
  readonly now: () => number;
  readonly waitScale: number;
}

/** The first step of a removal. The state machine starts it when every step of an earlier attempt has timed out. */
export function removal(parts: RemovalParts) {
  const { domains, certificates, gateway, zone, slots, managedRecords, now } = parts;
  const { retryAfter, hoursInPhase } = stepEndings(now, parts.waitScale);
  const { waitForSlot, waitForAnotherSlot } = slotBooking(slots, now, parts.waitScale);
  const leased = takeDownLease(domains, now, parts.waitScale);

  const stalled = (domain: Domain, obstacle: Obstacle): Progress => ({
    domain: removalStalled(domain, obstacle, now()),
    outcome: 'failed',
  });

  /**
   * Stops the traffic and deletes the domain name, if it is ours; the wait until that is possible, or undefined when
   * nothing of it is left.
   */
  const removeDomainName = async (domain: Domain): Promise<Progress | undefined> => {
    // The domain name at API Gateway is the owner's, who may be another project.
    if (!(await domains.isOwner(domain))) return undefined;
    await gateway.unmap(domain);
    const present = await gateway.find(domain);
    if (!present?.isOurs) return undefined;
    const waiting = await waitForSlot(domain, domain.message);
    if (waiting) return waiting;
    try {
      await gateway.remove(domain);
      return undefined;
    } catch (error) {
      if (!(error instanceof GatewayBusy)) throw error;
      if (hoursInPhase(domain) < REMOVAL_DEADLINE_HOURS) return waitForAnotherSlot(domain, domain.message);
      const message = 'No longer served, but API Gateway is too busy to delete it. Remove it again to go on.';
      return stalled(domain, { reason: 'gateway_busy', message });
    }
  };

  const deleteEverything = async (domain: Domain): Promise<Progress> => {
    const unfinished = await removeDomainName(domain);
    if (unfinished) return unfinished;
    await zone.remove(domain.target);
    await managedRecords.removeAll(domain);
    if (await certificates.removeAll(domain)) {
      return { domain: takenDown(domain, now()), outcome: 'done' };
    }
    if (hoursInPhase(domain) < REMOVAL_DEADLINE_HOURS) {
      const message =
        'No longer served. Its certificate is still in use and is deleted as soon as it can be.';
      return retryAfter(inUseWaitSeconds(domain.rounds), domain, { message });
    }
    const message = 'No longer served, but its certificate is still in use. Remove it again to go on.';
    return stalled(domain, { reason: 'certificate_in_use', message });
  };

  return {
    /** Deletes what was created for the domain at AWS, until nothing is left. */
    takeDown: flowStep(domains, 'live', async domain =>
      domain.takenDownAt === undefined ? leased(domain, deleteEverything) : { domain, outcome: 'done' },
    ),
  };
}

/**
 * Deletes the record of a domain, which frees the name. The state machine starts this step when every delivery of
 * `takeDown` has timed out, so none of them can delete what belongs to the next claim of the name.
 */
export function forget({ domains, now }: Pick<RemovalParts, 'domains' | 'now'>) {
  return flowStep(domains, 'live', async domain => ({
    domain,
    outcome: 'done',
    commit: () => domains.forget(domain, now()),
  }));
}
