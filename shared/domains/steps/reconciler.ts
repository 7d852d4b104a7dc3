import type { Certificates } from '../aws/certificates.ts';
import type { Flows } from '../aws/flows.ts';
import type { GatewayDomains } from '../aws/gateway-domains.ts';
import type { PlatformZone } from '../aws/platform-zone.ts';
import { type Domain, nextRevision } from '../life/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../life/domain-store.ts';
import { certificatePrepared } from '../life/transitions.ts';

interface ReconcilerParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  readonly certificates: Certificates;
  readonly zone: PlatformZone;
  readonly flows: Flows;
  readonly route: (domain: Domain) => Promise<void>;
}

/**
 * Brings AWS in line with the record of a domain; returns the record as it is afterwards. Commands commit a transition
 * and then reconcile. Every call is idempotent, so reconciling again makes up for whatever ended in between.
 */
export function reconciler(parts: ReconcilerParts) {
  const { domains, certificates, gateway, flows, route } = parts;

  /** Makes sure that the claim has its host and its certificate, and stores what ACM says of the latter. */
  const prepare = async (domain: Domain): Promise<Domain> => {
    // Creates the host, and leaves one that exists alone: once the domain is attached, it points elsewhere.
    await parts.zone.open(domain.target, domain.pointsAt);
    const arn = domain.certificate.arn ?? (await certificates.ensure(domain));
    const prepared = certificatePrepared(domain, arn, await certificates.view(arn));
    if (JSON.stringify(prepared) === JSON.stringify(domain)) return domain;
    const next = nextRevision(prepared);
    try {
      await domains.save(next);
      return next;
    } catch (error) {
      if (error instanceof DomainChanged || error instanceof Superseded) {
        return (await domains.find(domain.domain, domain.project)) ?? domain;
      }
      throw error;
    }
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
      case 'live':
        await route(domain);
        return domain;
      case 'removing':
        // Nothing is left to stop, and the name may be claimed anew before this call ends.
        if (domain.takenDownAt !== undefined) return domain;
        // The flow stops the traffic itself, and first waits until every call that began before it has ended. A call that
        // began later could meet the domain name of somebody else: the flow may have deleted ours in the meantime. AWS may
        // not show a flow that was started seconds ago, for which its wait leaves half a minute.
        if ((await flows.stateOf(domain)) !== 'absent') return domain;
        // Traffic stops first. Steps of the verification are fenced off by the attempt, whether or not it was stopped.
        if (await domains.isOwner(domain)) await gateway.unmap(domain);
        await flows.stopEarlierVerification(domain);
        await flows.startRemoval(domain);
        return domain;
      case 'issuing':
      case 'failed':
        return domain;
    }
  };
}
