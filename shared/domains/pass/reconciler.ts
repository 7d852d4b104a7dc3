import { isDeepStrictEqual } from 'node:util';
import { transact } from '../../aws/transaction.ts';
import { log } from '../../log.ts';
import { type Certificates, CertificatesFull } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { type Clock, timeOf } from '../clock.ts';
import type { Front } from '../front.ts';
import { changed, gaveUp, viewed } from '../life/change.ts';
import { type Domain, nextRevision, type Trouble } from '../life/domain.ts';
import { isBeingRemoved, isInFlow } from '../life/domain-status.ts';
import { type DomainStore, saveAnyway, saveUnlessStale } from '../life/domain-store.ts';
import { isDue, isUnreconciled, MAX_RESTARTS } from '../life/due.ts';
import { type Holder, PATIENCE_MS } from '../life/lease.ts';

interface ReconcilerParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly front: Pick<Front, 'unroute'>;
  readonly zone: PlatformZone;
  readonly flows: Flows;
  readonly clock: Clock;
}

/**
 * Brings AWS into line with a domain's record; returns the updated record. Commands commit a change, then reconcile. Every call
 * is idempotent, so reconciling again completes whatever was cut short, including a flow's execution.
 */
export function reconciler(parts: ReconcilerParts) {
  const { domains, certificates, flows, clock } = parts;
  const stopTraffic = trafficStop(parts);

  /**
   * Makes sure that the claim has its host, and has had a certificate, which is where its validation records come from. Stores
   * what ACM says about it. Only a proven claim gets another one.
   */
  const prepare = async (domain: Domain, holder: Holder): Promise<Domain> => {
    holder.requireTime();
    // Leaves an existing host alone: once the domain is attached, it points elsewhere.
    await parts.zone.open(domain.target, domain.pointsAt);
    if (domain.certificate.arn === null && domain.certificate.validations.length > 0) return domain;
    const arn = domain.certificate.arn ?? (await certificates.ensure(domain).catch(unlessFull));
    if (arn === undefined) return domain;
    const view = await certificates.view(arn);
    const prepared = (claim: Domain) =>
      changed(claim, { certificate: { ...viewed(claim, view), arn } }, clock.now());
    const isKnown = isDeepStrictEqual(prepared(domain), domain);
    // ACM lists a certificate only some time after its request, so a removal wouldn't find one that isn't stored.
    return isKnown ? domain : saveAnyway(domains, holder, domain, prepared);
  };

  const prepared = async (before: Domain): Promise<Domain> => {
    const look = async (holder: Holder) => {
      const domain = await domains.find(before.domain, before.project);
      const isWanted = domain && isUnreconciled(domain) && !isBeingRemoved(domain);
      return isWanted ? prepare(domain, holder) : (domain ?? before);
    };
    return (await domains.holding(before.domain, look, PATIENCE_MS)) ?? before;
  };

  /**
   * A pass is due but nobody is there to do it: there was a long wait, or the execution failed, timed out, was stopped by hand, or
   * was never started. Starts another one under the next attempt, unless that has happened again and again. Needs no lease, like a
   * command: whoever holds it may have blocked its execution, perhaps by ending again and again.
   */
  const restarted = async (before: Domain): Promise<Domain> => {
    const domain = await domains.find(before.domain, before.project);
    if (!domain || !isDue(domain, 'restart', clock)) return domain ?? before;
    const next = nextRevision(afterEnd(domain, clock.now()));
    if (!(await saveUnlessStale(transact(domains.change(next))))) return domain;
    const { domain: name, project, status, attempt } = next;
    if (!domain.isResting)
      log.warn('The execution of a domain had ended.', { domain: name, project, status, attempt });
    if (isInFlow(next)) await flows.start(next);
    return next;
  };

  return async (given: Domain): Promise<Domain> => {
    const isNew = isUnreconciled(given);
    const before = isNew && !isBeingRemoved(given) ? await prepared(given) : given;
    const isLost = isDue(before, 'restart', clock);
    const claim = isLost ? await restarted(before) : before;
    // Even if passes have begun: they may be throttled, and whoever asks for a removal is told that the traffic has
    // stopped.
    if (isBeingRemoved(claim) && isInFlow(claim)) await stopTraffic(claim);
    if (isNew && !isLost && isInFlow(given)) await flows.start(given);
    return claim;
  };
}

/** The record after the end of its execution. */
function afterEnd(domain: Domain, nowMs: number): Domain {
  const { restarts = 0, attempt } = domain;
  const at = timeOf(nowMs);
  if (restarts < MAX_RESTARTS) {
    const again = {
      attempt: attempt + 1,
      slotAt: null,
      nextCheckAt: at,
      isResting: undefined,
      restarts: restarts + 1,
    };
    return changed(domain, again, nowMs);
  }
  if (isBeingRemoved(domain)) return changed(domain, gaveUp(UNDELETED), nowMs);
  return changed(domain, { ...gaveUp(BROKEN), failedAt: at }, nowMs);
}

/** The next reconcile tries again, and the domain's report says so. */
function unlessFull(error: unknown): undefined {
  if (!(error instanceof CertificatesFull)) throw error;
  log.warn('ACM takes no request for another certificate.', { error: error.message });
}

const BROKEN: Trouble = {
  reason: 'internal_error',
  message: 'Something went wrong on our side. Re-verify; if it happens again, tell us.',
};
const UNDELETED: Trouble = {
  reason: 'internal_error',
  message:
    "No longer served, but some of its AWS resources couldn't be deleted. Remove the domain again to continue.",
};

/** A command that starts now has ended by then: 55 s, and a margin for clocks that differ. */
const UNMAPPING_MS = 60_000;

/**
 * Deletes the mapping of a domain that is being removed, right away: whoever has the name's lease looks again after each
 * mapping. API Gateway deletes the mapping of whoever has the name, which by then must not be somebody else. So the record says
 * that this is under way, and meanwhile the removal doesn't delete the domain name; once it has begun to, this deletes nothing.
 */
export function trafficStop({ domains, front, clock }: Pick<ReconcilerParts, 'domains' | 'front' | 'clock'>) {
  return async ({ domain: name, project }: Domain): Promise<void> => {
    for (;;) {
      const domain = await domains.find(name, project);
      if (!domain || !isBeingRemoved(domain) || domain.route === null || domain.isUnmapped) return;
      const save = async (next: Domain) => saveUnlessStale(transact(domains.change(next)));
      const begun = nextRevision({ ...domain, unmappedUntil: timeOf(clock.now() + UNMAPPING_MS) });
      if (!(await save(begun))) continue;
      await front.unroute(begun);
      // An earlier command may still be at it.
      await save(nextRevision({ ...begun, unmappedUntil: domain.unmappedUntil }));
      return;
    }
  };
}
