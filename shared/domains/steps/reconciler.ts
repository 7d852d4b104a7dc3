import type { Certificates } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import type { Clock } from '../clock.ts';
import type { Front } from '../front.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { type DomainStore, saveUnlessStale } from '../life/domain-store.ts';
import { isNewRemoval } from '../life/reconciliation.ts';
import { certificatePrepared } from '../life/transitions.ts';
import type { LiveRouting } from './live-routing.ts';

interface ReconcilerParts extends LiveRouting {
  readonly domains: DomainStore;
  readonly front: Front;
  readonly certificates: Certificates;
  readonly zone: PlatformZone;
  readonly flows: Flows;
  readonly clock: Clock;
}

/**
 * Brings AWS in line with the record of a domain; returns the record as it is afterwards. Commands commit a transition
 * and then reconcile. Every call is idempotent, so reconciling again completes whatever ended in between.
 */
export function reconciler(parts: ReconcilerParts) {
  const { domains, certificates, front, flows, route, unroute, clock } = parts;

  /** Makes sure that the claim has its host and its certificate, and stores what ACM says of the latter. */
  const prepare = async (domain: Domain): Promise<Domain> => {
    // Creates the host, and leaves one that exists alone: once the domain is attached, it points elsewhere.
    await parts.zone.open(domain.target, domain.pointsAt);
    const arn = domain.certificate.arn ?? (await certificates.ensure(domain));
    const prepared = certificatePrepared(domain, arn, await certificates.view(arn));
    if (JSON.stringify(prepared) === JSON.stringify(domain)) return domain;
    const next = nextRevision(prepared);
    if (await saveUnlessStale(domains, next)) return next;
    return (await domains.find(domain.domain, domain.project)) ?? domain;
  };

  /**
   * Whether a flow of the removal has begun, which stops the traffic itself. A function that did so, too, could find the
   * domain name to be ours, and delete the mapping when the flow has deleted the name and somebody else has it. AWS may
   * not show a flow yet that was started seconds ago: its wait for running functions allows for that.
   */
  const hasFlow = async (domain: Domain): Promise<boolean> => {
    if (isNewRemoval(domain, clock.now())) return false;
    // A flow that ended is followed by one under the next attempt, and a step of the former may still run.
    const earlier = { ...domain, attempt: domain.attempt - 1 };
    return (await flows.stateOf(domain)) !== 'absent' || (await flows.stateOf(earlier)) !== 'absent';
  };

  return async (domain: Domain): Promise<Domain> => {
    switch (domain.status) {
      case 'pending_dns':
        return prepare(domain);
      case 'verifying': {
        const prepared = await prepare(domain);
        await flows.startVerification(domain);
        return prepared;
      }
      case 'ready':
      case 'live':
      case 'needs_attention':
        await route(domain);
        return domain;
      case 'removing':
        // Nothing is left to stop, and the name may be claimed again before this call ends.
        if (domain.takenDownAt !== undefined) return domain;
        // Traffic stops first. Steps of the verification are fenced off by the attempt, whether or not it was stopped.
        if (!(await hasFlow(domain))) await front.unroute(domain);
        await flows.stopEarlierVerification(domain);
        await flows.startRemoval(domain);
        return domain;
      case 'failed':
        await unroute(domain);
        return domain;
      case 'issuing':
      case 'stalled':
        return domain;
      default:
        return domain.status satisfies never;
    }
  };
}
