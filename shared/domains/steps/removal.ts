import type { Certificates } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Clock } from '../clock.ts';
import { type Front, FrontBusy } from '../front.ts';
import type { Domain, Trouble } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { removalStalled } from '../life/transitions.ts';
import { inUseWaitSeconds, REMOVAL_DEADLINE_HOURS, SAME_RECORDS_DAYS } from '../life/waits.ts';
import { flowStep, type Progress, slotBooking, stepEndings } from './flow-step.ts';
import type { ManagedRecords } from './managed-records.ts';

interface RemovalParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly front: Front;
  readonly zone: PlatformZone;
  readonly managedRecords: ManagedRecords;
  readonly clock: Clock;
}

const KEPT_MS = SAME_RECORDS_DAYS * 24 * 60 * 60 * 1000;

/** The step of a removal. */
export function removal(parts: RemovalParts) {
  const { domains, certificates, front, zone, managedRecords, clock } = parts;
  const { retryAfter, hoursInPhase } = stepEndings(clock);
  const { waitForSlot, waitForAnotherSlot } = slotBooking(front, clock, { isAhead: true });

  const stalled = (domain: Domain, trouble: Trouble): Progress => ({
    domain: removalStalled(domain, trouble, clock.now()),
    outcome: 'failed',
  });

  /**
   * Stops the traffic and deletes the domain name, if it is ours; the wait until that is possible, or undefined when
   * nothing of it is left.
   */
  const removeDomainName = async (domain: Domain): Promise<Progress | undefined> => {
    // The tags of the domain name say whose it is: the name may be another project's by now.
    await front.unroute(domain);
    const present = await front.find(domain);
    if (!present?.isOurs) return undefined;
    const apartMs = Date.parse(domain.unmappedUntil ?? '') - clock.now();
    if (apartMs > 0) return retryAfter(Math.ceil(clock.unscaled(apartMs) / 1000), domain, {});
    const waiting = await waitForSlot(domain, domain.message);
    if (waiting) return waiting;
    try {
      await front.detach(domain);
      return undefined;
    } catch (error) {
      if (!(error instanceof FrontBusy)) throw error;
      if (hoursInPhase(domain) < REMOVAL_DEADLINE_HOURS) return waitForAnotherSlot(domain, domain.message);
      const message =
        'No longer served, but API Gateway is too busy to delete it. Remove the domain again to continue.';
      return stalled(domain, { reason: 'gateway_busy', message });
    }
  };

  const deleteEverything = async (domain: Domain, holder: Holder): Promise<Progress> => {
    const unfinished = await removeDomainName(domain);
    if (unfinished) return unfinished;
    await zone.remove(domain.target);
    await managedRecords.removeAll(domain);
    if (await certificates.removeAll(domain)) {
      const keptUntilMs = clock.now() + clock.scaled(KEPT_MS);
      const commit = async () => holder.commit(await domains.end(domain, clock.now(), keptUntilMs));
      return { domain, outcome: 'done', commit };
    }
    if (hoursInPhase(domain) < REMOVAL_DEADLINE_HOURS) {
      const message =
        'No longer served. Its certificate is still in use and will be deleted as soon as possible.';
      return retryAfter(inUseWaitSeconds(domain.rounds), domain, { message });
    }
    const message =
      'No longer served, but its certificate is still in use. Remove the domain again to continue.';
    return stalled(domain, { reason: 'certificate_in_use', message });
  };

  return {
    /** Deletes what was created for the domain at AWS and, when nothing of it is left, its record, which frees the name. */
    takeDown: flowStep(domains, 'removal', deleteEverything),
  };
}
