import type { ApiStage, GatewayDomains } from '../aws/gateway-domains.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

export interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  /** What a domain is mapped to when it is live: what it redirects by, or where its project is published. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
}

/** Whoever changes a redirect while another does is followed this often, which is enough for people. */
const MAX_FOLLOWED_CHANGES = 10;

/** Maps a live domain, until what it is mapped to is what is noted. */
export function liveRouting({ domains, gateway, apiStageOf }: LiveRoutingParts) {
  const destinationOf = async (name: string): Promise<ApiStage | undefined> => {
    const domain = await domains.find(name);
    return domain?.status === 'live' ? apiStageOf(domain) : undefined;
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
