import { transact } from '../../aws/transaction.ts';
import { type UnmetRequirement, unmetRequirement } from '../../projects/domain-requirements.ts';
import { type ProjectStore, RoutingChanged } from '../../projects/project-store.ts';
import { activeRedirect, withLive } from '../../projects/routing.ts';
import type { ApiStage } from '../aws/gateway-mappings.ts';
import type { Domain } from '../life/domain.ts';
import type { DomainStore } from '../life/domain-store.ts';

interface ProjectDomainsParts {
  readonly projects: ProjectStore;
  readonly domains: DomainStore;
  /** The API that answers for domains that redirect. */
  readonly redirectApi: ApiStage;
}

const MAX_ATTEMPTS = 6;

/** What a domain has to do with its project. Each function reads only the parts that it uses. */
export function projectDomains(parts: ProjectDomainsParts) {
  return {
    /** What a domain is mapped to: the redirect API, or the API of its project. */
    async apiStageOf({ project: id, domain }: Domain): Promise<ApiStage | undefined> {
      const project = await parts.projects.find(id);
      return project && activeRedirect(project, domain) ? parts.redirectApi : project;
    },

    /** What the project lacks for custom domains. */
    async unmetRequirementOf({ project: id }: Domain): Promise<UnmetRequirement | undefined> {
      const project = await parts.projects.find(id);
      return project && unmetRequirement(project);
    },

    /** Writes a domain that went live and adds it to its project's routing, in one transaction. */
    async commitLive(next: Domain): Promise<void> {
      for (let attempt = 1; ; attempt += 1) {
        const project = await parts.projects.find(next.project);
        if (!project) throw new Error(`There is no project ${next.project} any more.`);
        const routing = parts.projects.routingChange(project, withLive(project, next.domain));
        try {
          return await transact([...parts.domains.change(next), routing]);
        } catch (error) {
          if (!(error instanceof RoutingChanged) || attempt === MAX_ATTEMPTS) throw error;
        }
      }
    },
  };
}
