import type { Certificates } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { DomainChanged, Superseded } from '../life/domain-store.ts';
import { type LiveRoutingParts, liveRouting } from './live-routing.ts';

export interface ReconcilerParts extends LiveRoutingParts {
  readonly certificates: Certificates;
  readonly zone: PlatformZone;
  readonly flows: Flows;
}

/**
 * Brings AWS in line with what is noted of a domain. Commands change what is noted, in one transaction, and then reconcile:
 * whatever ends in between, settling again makes up for it.
 */
export function reconciler(parts: ReconcilerParts) {
  const { domains, certificates, gateway, zone, flows } = parts;

  /** The host that leads somewhere, and the certificate with its records: what a claim needs. */
  const prepare = async (domain: Domain): Promise<Domain> => {
    // Once it is attached it leads elsewhere, and this may come late.
    await zone.open(domain.target, domain.pointsAt);
    const arn = domain.certificate.arn ?? (await certificates.ensure(domain));
    const certificate = { ...domain.certificate, arn, ...(await certificates.view(arn)) };
    if (JSON.stringify(certificate) === JSON.stringify(domain.certificate)) return domain;
    const prepared = nextRevision(domain, { certificate });
    try {
      await domains.save(prepared);
      return prepared;
    } catch (error) {
      if (error instanceof DomainChanged || error instanceof Superseded) {
        return (await domains.find(domain.domain)) ?? domain;
      }
      throw error;
    }
  };

  const route = liveRouting(parts);

  return async (domain: Domain): Promise<Domain> => {
    switch (domain.status) {
      case 'pending_dns':
        return prepare(domain);
      case 'verifying': {
        const prepared = await prepare(domain);
        await flows.startVerification(domain);
        return prepared;
      }
      case 'live':
        await route(domain.domain);
        return domain;
      case 'removing':
        // There is nothing left to stop, and the name may be claimed anew before this is done.
        if (domain.takenDownAt !== undefined) return domain;
        // Traffic stops first. What was being set up is fenced off by the attempt, stopped or not.
        await gateway.unmap(domain.domain);
        await flows.stopEarlierVerification(domain);
        await flows.startRemoval(domain);
        return domain;
      case 'issuing':
      case 'failed':
        return domain;
    }
  };
}
