import { randomUUID } from 'node:crypto';
import type { Certificates } from '../aws/certificates.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Clock } from '../clock.ts';
import { type Front, FrontBusy } from '../front.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';
import { removalStalled, takeDownLeased, takeDownReleased, takenDown } from '../life/transitions.ts';
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

/** The first step of a removal. The state machine starts it when every step of an earlier attempt has timed out. */
export function removal(parts: RemovalParts) {
  const { domains, certificates, front, zone, managedRecords, clock } = parts;
  const { retryAfter, hoursInPhase } = stepEndings(clock);
  const { waitForSlot, waitForAnotherSlot } = slotBooking(front, clock, { isAhead: true });
  const leased = takeDownLease(domains, clock);

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

  const deleteEverything = async (domain: Domain): Promise<Progress> => {
    const unfinished = await removeDomainName(domain);
    if (unfinished) return unfinished;
    await zone.remove(domain.target);
    await managedRecords.removeAll(domain);
    if (await certificates.removeAll(domain)) {
      return { domain: takenDown(domain, clock.now()), outcome: 'done' };
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
    /** Deletes what was created for the domain at AWS, until nothing is left. */
    takeDown: flowStep(domains, 'removal', async domain =>
      domain.takenDownAt === undefined ? leased(domain, deleteEverything) : { domain, outcome: 'done' },
    ),
  };
}

/**
 * Deletes the record of a domain, which frees the name. The state machine starts this step when every delivery of
 * `takeDown` has timed out, so none of them can delete what belongs to the next claim of the name.
 */
export function forget({ domains, clock }: Pick<RemovalParts, 'domains' | 'clock'>) {
  const keptMs = clock.scaled(SAME_RECORDS_DAYS * 24 * 60 * 60 * 1000);
  return flowStep(domains, 'removal', async domain => ({
    domain,
    outcome: 'done',
    commit: () => domains.forget(domain, clock.now(), clock.now() + keptMs),
  }));
}

/** The 55 s that the function may take, and a margin for clocks that differ. */
export const LEASE_MS = 90_000;

/** Another delivery of the step is at work, or was stopped at it. The state machine retries until the lease is over. */
class StepBusy extends Error {
  override readonly name = 'StepBusy';
}

/**
 * Lets one delivery of `takeDown` work at a time. API Gateway deletes whatever has the name: a delivery that stalled
 * after it had looked whose it is could delete what others have created since another delivery took everything down. The
 * second delivery fails instead of waiting, so that a step that is stopped every time is given up like any other.
 */
export function takeDownLease(domains: Pick<DomainStore, 'save'>, clock: Clock) {
  return async (domain: Domain, work: (domain: Domain) => Promise<Progress>): Promise<Progress> => {
    const { takeDownLease: held } = domain;
    if (held !== undefined && Date.parse(held.until) > clock.now()) {
      throw new StepBusy(`Another delivery takes ${domain.domain} down, until ${held.until}.`);
    }
    // The holder makes two leases differ that end at the same time: the store would take an equal write for its own.
    const holding = nextRevision(takeDownLeased(domain, randomUUID(), clock.now() + clock.scaled(LEASE_MS)));
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
