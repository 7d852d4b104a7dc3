import { transact } from '../../aws/transaction.ts';
import type { Certificates } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { type Clock, timeOf } from '../clock.ts';
import { type Front, FrontBusy } from '../front.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { isBeingRemoved } from '../life/domain-status.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import type { Holder } from '../life/lease.ts';
import { removalStalled, unmapped, unmappedApart } from '../life/transitions.ts';
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

/** By then a command has ended that began now: 55 s, and a margin for clocks that differ. */
const UNMAPPING_MS = 60_000;

const KEPT_MS = SAME_RECORDS_DAYS * 24 * 60 * 60 * 1000;

/**
 * Deletes the mapping of a domain that is being removed, at once: whoever has the lease of the name looks again after each
 * mapping. API Gateway deletes the mapping of whatever has the name, which must not be others' by then. So the record says
 * that this goes on, and the removal does not delete the domain name meanwhile; once it has begun to, this deletes nothing.
 */
export function trafficStop({
  domains,
  front,
  clock,
}: Pick<RemovalParts, 'domains' | 'clock'> & TrafficParts) {
  return async ({ domain: name, project }: Domain): Promise<void> => {
    for (;;) {
      const domain = await domains.find(name, project);
      if (!domain || !isBeingRemoved(domain) || domain.route === null || domain.isUnmapped) return;
      const save = async (next: Domain) => saveUnlessStale(transact(domains.change(next)));
      const begun = nextRevision(unmappedApart(domain, timeOf(clock.now() + UNMAPPING_MS)));
      if (!(await save(begun))) continue;
      await front.unroute(begun);
      // Another command may have begun before, and be at it still.
      await save(nextRevision(unmappedApart(begun, domain.unmappedUntil)));
      return;
    }
  };
}

interface TrafficParts {
  readonly front: Pick<Front, 'unroute'>;
}

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
   * Stops the traffic and deletes the domain name, if it is ours; the domain when nothing of that is left, or the wait until
   * it is possible.
   */
  const removeDomainName = async (before: Domain, holder: Holder): Promise<Domain | Progress> => {
    // The tags of the domain name say whose it is: the name may be another project's by now.
    await front.unroute(before);
    const present = await front.find(before);
    if (!present?.isOurs) return before;
    const apartMs = Date.parse(before.unmappedUntil ?? '') - clock.now();
    if (apartMs > 0) return retryAfter(Math.ceil(clock.unscaled(apartMs) / 1000), before, {});
    const domain = before.isUnmapped ? before : nextRevision(unmapped(before));
    if (domain !== before) await holder.commit(domains.change(domain));
    const waiting = await waitForSlot(domain, domain.message);
    if (waiting) return waiting;
    try {
      await front.detach(domain);
      return domain;
    } catch (error) {
      if (!(error instanceof FrontBusy)) throw error;
      if (hoursInPhase(domain) < REMOVAL_DEADLINE_HOURS) return waitForAnotherSlot(domain, domain.message);
      const message =
        'No longer served, but API Gateway is too busy to delete it. Remove the domain again to continue.';
      return stalled(domain, { reason: 'gateway_busy', message });
    }
  };

  const deleteEverything = async (before: Domain, holder: Holder): Promise<Progress> => {
    const domain = await removeDomainName(before, holder);
    if ('outcome' in domain) return domain;
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
