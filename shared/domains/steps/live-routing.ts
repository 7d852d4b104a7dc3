import type { GatewayDomains } from '../aws/gateway-domains.ts';
import type { ApiStage } from '../aws/gateway-mappings.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

export interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  /** What a live domain is mapped to: the redirect API, or the API of its project. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
}

/** People change redirects; nobody does so more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 10;

/** Maps a live domain at API Gateway, again until the mapping is the one that the tables ask for. */
export function liveRouting({ domains, gateway, apiStageOf }: LiveRoutingParts) {
  const requiredMapping = async (claim: Domain): Promise<ApiStage | undefined> => {
    const domain = await domains.find(claim.domain, claim.project);
    return domain?.status === 'live' ? apiStageOf(domain) : undefined;
  };

  return async (claim: Domain): Promise<void> => {
    let required = await requiredMapping(claim);
    for (let change = 0; required && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await gateway.map(claim, required);
      const current = await requiredMapping(claim);
      if (current?.apiId === required.apiId && current.stage === required.stage) return;
      required = current;
    }
    if ((await domains.find(claim.domain, claim.project))?.status === 'removing') await gateway.unmap(claim);
  };
}
