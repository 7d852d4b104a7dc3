import type { Certificates } from '../domains/certificates.ts';
import { type Domain, revised } from '../domains/domain.ts';
import { DomainChanged, type DomainStore, Superseded } from '../domains/domain-store.ts';
import type { Flows } from '../domains/flows.ts';
import type { GatewayDomains, Publication } from '../domains/gateway-domains.ts';
import type { PlatformZone } from '../domains/platform-zone.ts';

export interface SettlementParts {
  readonly domains: DomainStore;
  readonly certificates: Certificates;
  readonly gateway: GatewayDomains;
  readonly zone: PlatformZone;
  readonly flows: Flows;
  /** What a domain is mapped to when it is live: what it redirects by, or where its project is published. */
  readonly publicationOf: (domain: Domain) => Promise<Publication | undefined>;
}

/** Whoever changes a redirect while another does is followed this often, which is enough for people. */
const MAX_FOLLOWED_CHANGES = 10;

/**
 * Brings AWS in line with what is noted of a domain. Commands change what is noted, in one transaction, and then settle:
 * whatever ends in between, settling again makes up for it.
 */
export function settlement(parts: SettlementParts) {
  const { domains, certificates, gateway, zone, flows } = parts;

  /** The host that leads somewhere, and the certificate with its records: what a claim needs. */
  const prepare = async (domain: Domain): Promise<Domain> => {
    // Once it is attached it leads elsewhere, and this may come late.
    await zone.open(domain.target, domain.pointsAt);
    const arn = domain.certificate.arn ?? (await certificates.ensure(domain));
    const certificate = { ...domain.certificate, arn, ...(await certificates.view(arn)) };
    if (JSON.stringify(certificate) === JSON.stringify(domain.certificate)) return domain;
    const prepared = revised(domain, { certificate });
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

  const destinationOf = async (name: string): Promise<Publication | undefined> => {
    const domain = await domains.find(name);
    return domain?.status === 'live' ? parts.publicationOf(domain) : undefined;
  };

  /** Maps a live domain, until what it is mapped to is what is noted. */
  const route = async (name: string): Promise<void> => {
    let wanted = await destinationOf(name);
    for (let change = 0; wanted && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await gateway.map(name, wanted);
      const noted = await destinationOf(name);
      if (noted?.apiId === wanted.apiId && noted.stage === wanted.stage) return;
      wanted = noted;
    }
    if ((await domains.find(name))?.status === 'removing') await gateway.unmap(name);
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
        await route(domain.domain);
        return domain;
      case 'removing':
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
