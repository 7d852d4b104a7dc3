import type { ProjectStore } from '../../projects/project-store.ts';
import { type GatewayDomains, isDomainNameMissing } from '../aws/gateway-domains.ts';
import type { ApiStage } from '../aws/gateway-mappings.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

export interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly projects: ProjectStore;
  readonly gateway: GatewayDomains;
  /** What a live domain is mapped to: the redirect API, or the API of its project. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  readonly now: () => number;
}

/** People change redirects; nobody does so more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 10;

/**
 * Maps a live domain at API Gateway, again until the mapping is the one that the tables ask for. A function that ends
 * before it has looked again may have written an old mapping over a newer one, so it lists the domain first: the scheduled
 * reconcile then maps it.
 */
export function liveRouting({ domains, projects, gateway, apiStageOf, now }: LiveRoutingParts) {
  const requiredMapping = async (claim: Domain): Promise<ApiStage | undefined> => {
    const domain = await domains.find(claim.domain, claim.project);
    return domain?.status === 'live' ? apiStageOf(domain) : undefined;
  };

  const mapUntilRight = async (claim: Domain, first: ApiStage): Promise<void> => {
    let required: ApiStage | undefined = first;
    for (let change = 0; required && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await gateway.map(claim, required);
      const current = await requiredMapping(claim);
      if (current?.apiId === required.apiId && current.stage === required.stage) return;
      required = current;
    }
    if ((await domains.find(claim.domain, claim.project))?.status === 'removing') await gateway.unmap(claim);
  };

  return async (claim: Domain): Promise<void> => {
    const required = await requiredMapping(claim);
    if (!required) return;
    const started = await projects.mappingStarted(claim.project, claim.domain, now());
    try {
      await mapUntilRight(claim, required);
    } catch (error) {
      // Mapping it again would not help. Any other error leaves open what became of the last call.
      if (isDomainNameMissing(error)) await projects.mapped([started]);
      throw error;
    }
    await projects.mapped([started]);
  };
}
