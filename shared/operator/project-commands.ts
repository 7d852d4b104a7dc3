import * as z from 'zod/mini';
import { type Clock, timeOf } from '../domains/clock.ts';
import type { DefaultUrls } from '../domains/default-urls.ts';
import type { Front } from '../domains/front.ts';
import { type DomainStore, ProjectHasDomains } from '../domains/life/domain-store.ts';
import type { DefaultEndpoint } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { DEFAULT_WHILE_LIVE } from '../projects/project-choices.ts';
import { ProjectExists, type ProjectStore, ProjectUnknown } from '../projects/project-store.ts';
import { NO_ROUTING } from '../projects/routing.ts';
import { type Change, CommandError, type CommandTable, conflict } from './command.ts';
import { INPUTS } from './inputs.ts';
import { projectLookup } from './lookup.ts';
import { type ProjectView, projectView } from './project-view.ts';

interface ProjectCommandParts {
  readonly projects: ProjectStore;
  readonly domains: Pick<DomainStore, 'noClaimsCheck'>;
  readonly front: Pick<Front, 'hasStage'>;
  readonly platformDomain: string | undefined;
  readonly defaultUrls: Pick<DefaultUrls, 'views' | 'withdraw'>;
  /** The host of an API on AWS. */
  readonly endpointOf: (apiId: string) => string;
  /** Where a project is published by default: the API and stage of this service. */
  readonly published: Pick<Project, 'apiId' | 'stage'>;
  /** The default endpoint of this service's API, and the default URLs. */
  readonly endpoint: Pick<DefaultEndpoint, 'follow'>;
  readonly clock: Clock;
}

/** What operators do with projects. */
export function projectCommands(parts: ProjectCommandParts): CommandTable<'projects'> {
  const { projects, domains, published, endpoint, clock } = parts;
  const requireProject = projectLookup(projects);
  const viewOf = (project: Project) => projectView(project, parts);

  const requireStage = async ({ apiId, stage }: Pick<Project, 'apiId' | 'stage'>) => {
    const isPublished = apiId === published.apiId && stage === published.stage;
    if (isPublished || (await parts.front.hasStage({ apiId, stage }))) return;
    const message = `API Gateway has no API ${apiId} with a stage ${stage} in this account and region. Deploy it first, or check the API id and the stage.`;
    throw new CommandError('conflict', message, 'api_unknown');
  };

  const { apiId, stage } = INPUTS['projects.create'].shape;
  const New = z.extend(INPUTS['projects.create'], {
    apiId: z._default(apiId, published.apiId),
    stage: z._default(stage, published.stage),
  });

  return {
    'projects.create': {
      accepts: New,
      async run(fields: z.output<typeof New>, change) {
        await requireStage(fields);
        const deploy = { state: 'none', at: null, succeededAt: null } as const;
        const project: Project = {
          ...fields,
          name: fields.name ?? null,
          deploy,
          createdAt: timeOf(clock.now()),
          whileLive: DEFAULT_WHILE_LIVE,
          ...NO_ROUTING,
        };
        return commit(change, [projects.addition(project)], await viewOf(project));
      },
    },

    'projects.list': {
      async run() {
        const all = await projects.list();
        const views = await parts.defaultUrls.views();
        const read = {
          ...parts,
          projects: { list: async () => all },
          defaultUrls: { views: async () => views },
        };
        return { projects: await Promise.all(all.map(project => projectView(project, read))) };
      },
    },

    'projects.show': {
      run: async ({ id }) => viewOf(await requireProject(id)),
    },

    'projects.rename': {
      async run({ id, name }, change) {
        const project = await requireProject(id);
        return commit(change, [projects.nameChange(id, name)], await viewOf({ ...project, name }));
      },
    },

    'projects.plan': {
      async run({ id, plan }, change) {
        const project = await requireProject(id);
        const emptiness = plan === 'free' ? [domains.noClaimsCheck(id)] : [];
        const writes = [projects.planChange(id, plan), ...emptiness];
        return commit(change, writes, await viewOf({ ...project, plan }));
      },
    },

    'projects.deployed': {
      async run({ id, state }, change) {
        const at = timeOf(clock.now());
        const project = await requireProject(id);
        const succeededAt = state === 'succeeded' ? at : project.deploy.succeededAt;
        const deploy = { state, at, succeededAt };
        return commit(change, [projects.deployChange(id, state, at)], await viewOf({ ...project, deploy }));
      },
    },

    'projects.endpoint': {
      async run({ id, whileLive }, change) {
        const project = await requireProject(id);
        const isOwn = project.apiId === published.apiId || parts.platformDomain !== undefined;
        if (whileLive === 'closed' && !isOwn) {
          const message = `Project ${id} is published at API ${project.apiId}. Without a platform domain, only the default endpoint of this service's own API, ${published.apiId}, can be closed.`;
          throw new CommandError('conflict', message, 'endpoint_not_own');
        }
        const after = await viewOf({ ...project, whileLive });
        return commit(change, [projects.endpointChange(id, whileLive)], after);
      },
      followUp: () => endpoint.follow({ isAlways: true }),
      resultAfter: async ({ id }) => viewOf(await requireProject(id)),
    },

    'projects.withdraw': {
      async run(_, change) {
        const withdrawn = await parts.defaultUrls.withdraw();
        await change.commit([], withdrawn);
        return withdrawn;
      },
    },
  };
}

async function commit(
  change: Change,
  writes: Parameters<Change['commit']>[0],
  project: ProjectView,
): Promise<ProjectView> {
  try {
    await change.commit(writes, project);
    return project;
  } catch (error) {
    if (error instanceof ProjectExists) throw conflict(error, 'project_exists');
    if (error instanceof ProjectHasDomains) {
      const what = `Project ${project.id} has domains: ${error.names.join(', ')}.`;
      const message = `${what} The free plan allows none; remove them first (domains remove).`;
      throw new CommandError('conflict', message, 'project_has_domains', { cause: error });
    }
    if (error instanceof ProjectUnknown) {
      throw new CommandError('not_found', error.message, 'project_unknown', { cause: error });
    }
    throw error;
  }
}
