import type { Write } from '../../aws/transaction.ts';
import { type ProjectStore, RoutingChanged } from '../../projects/project-store.ts';
import { redirectOf, withLive } from '../../projects/routing.ts';
import type { ApiStage } from '../aws/gateway-domains.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

export interface DomainsOfProjectsParts {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  /** The API that answers for domains that redirect. */
  readonly redirects: ApiStage;
  readonly commit: (writes: readonly Write[]) => Promise<void>;
}

const TRIES = 6;

/** What a domain has to do with its project. */
export function domainsOfProjects({ projects, domains, redirects, commit }: DomainsOfProjectsParts) {
  return {
    /** What a domain is mapped to: what it redirects by, or where its project is published. */
    async apiStageOf({ project: id, domain }: Domain): Promise<ApiStage | undefined> {
      const project = await projects.find(id);
      return project && redirectOf(project, domain) ? redirects : project;
    },

    /** Writes a domain that is live, and that its project has it, in one transaction. */
    async goLive(next: Domain): Promise<void> {
      for (let tries = 1; ; tries += 1) {
        const project = await projects.find(next.project);
        if (!project) throw new Error(`There is no project ${next.project} any more.`);
        const routing = projects.routingChange(project, withLive(project, next.domain));
        try {
          return await commit([domains.change(next), routing]);
        } catch (error) {
          if (!(error instanceof RoutingChanged) || tries === TRIES) throw error;
        }
      }
    },
  };
}
