import { describeError, log } from '../../log.ts';
import type { ApiStage, GatewayDomains } from '../aws/gateway-domains.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

export interface LiveRoutingParts {
  readonly domains: DomainStore;
  readonly gateway: GatewayDomains;
  /** What a live domain is mapped to: the redirect API, or the API of its project. */
  readonly apiStageOf: (domain: Domain) => Promise<ApiStage | undefined>;
  /** The live domains of the project that redirect to this one whenever it is live. */
  readonly redirectSourcesOf: (domain: Domain) => Promise<string[]>;
}

/** People change redirects; nobody does so more often than this while one mapping is written. */
const MAX_FOLLOWED_CHANGES = 10;

/** The mappings of live domains at API Gateway. */
export function liveRouting({ domains, gateway, apiStageOf, redirectSourcesOf }: LiveRoutingParts) {
  /** Maps a live domain, again until the mapping is the one that the tables ask for. */
  const route = async ({ domain: name, project }: Pick<Domain, 'domain' | 'project'>): Promise<void> => {
    const requiredMapping = async (): Promise<ApiStage | undefined> => {
      const domain = await domains.find(name, project);
      return domain?.status === 'live' ? apiStageOf(domain) : undefined;
    };
    let required = await requiredMapping();
    for (let change = 0; required && change < MAX_FOLLOWED_CHANGES; change += 1) {
      await gateway.map(name, required);
      const current = await requiredMapping();
      if (current?.apiId === required.apiId && current.stage === required.stage) return;
      required = current;
    }
    if ((await domains.find(name, project))?.status === 'removing') await gateway.unmap(name);
  };

  /** Maps other domains of a project. One that cannot be mapped does not fail the command, which is about another domain. */
  const routeOthers = async (names: readonly string[], project: string): Promise<void> => {
    for (const domain of names) {
      await route({ domain, project }).catch((error: unknown) => {
        log.error('A redirecting domain could not be mapped.', {
          domain,
          project,
          error: describeError(error),
        });
      });
    }
  };

  return {
    route,
    /** Maps the domains that redirect to this one: they serve the project themselves while this one is not live. */
    routeSources: async (domain: Domain) => routeOthers(await redirectSourcesOf(domain), domain.project),
    /** Maps the domains that redirected to one that is being removed. */
    routeFormerSources: ({ formerSources = [], project }: Domain) => routeOthers(formerSources, project),
  };
}
