import type { Domain } from './domain.ts';
import type { DomainStore } from './domain-store.ts';
import type { GatewayDomains, Publication } from './gateway-domains.ts';

export interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  /** What a domain is mapped to when it is live: what it redirects by, or where its project is published. */
  readonly publicationOf: (domain: Domain) => Promise<Publication | undefined>;
}

/** Whoever changes a redirect while another does is followed this often, which is enough for people. */
const MAX_FOLLOWED_CHANGES = 10;

/** Maps a live domain, until what it is mapped to is what is noted. */
export function liveRouting({ domains, gateway, publicationOf }: LiveRoutingParts) {
  const destinationOf = async (name: string): Promise<Publication | undefined> => {
    const domain = await domains.find(name);
    return domain?.status === 'live' ? publicationOf(domain) : undefined;
  };

  return async (name: string): Promise<void> => {
    let wanted = await destinationOf(name);
    for (let change = 0; wanted && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await gateway.map(name, wanted);
      const noted = await destinationOf(name);
      if (noted?.apiId === wanted.apiId && noted.stage === wanted.stage) return;
      wanted = noted;
    }
    if ((await domains.find(name))?.status === 'removing') await gateway.unmap(name);
  };
}
