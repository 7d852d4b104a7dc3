import type { DefaultUrlView } from '../domains/default-urls.ts';
import { awayReason, requiredEndpoint } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { deployRequired } from '../projects/project-store.ts';
import { reachedPrimary } from '../projects/routing.ts';

/** A project with its URLs, as operators see it. */
export type ProjectView = Project & {
  /** The URL of the project: its primary domain while that is live, otherwise its default URL. */
  readonly url: string;
  /** Its URL in the platform domain, or without one, the API's endpoint. */
  readonly defaultUrl: string;
  /**
   * Whether the default URL is not set up yet, serves the project, redirects to the primary domain, or is closed and
   * responds with 403.
   */
  readonly defaultUrlState: DefaultUrlView['state'];
  /** Why it is pending, or isn't what the project asks for; null if there's nothing to explain. */
  readonly defaultUrlReason: string | null;
  /** The stage's URL at the API's own endpoint, which works alongside the others unless it's closed. */
  readonly endpointUrl: string;
  /** Whether that endpoint responds; closed, it responds with 403. A change takes effect within minutes. */
  readonly defaultEndpoint: 'open' | 'closed';
  /** Why that endpoint is open although the project wants it closed. */
  readonly openBecause: string | null;
};

interface ProjectViewParts {
  /** The host of an API on AWS. */
  readonly endpointOf: (apiId: string) => string;
  readonly projects: { list(): Promise<Project[]> };
  /** The API of this service, whose endpoint can be closed. */
  readonly published: Pick<Project, 'apiId'>;
  readonly defaultUrls: { views(): Promise<(project: Project) => DefaultUrlView | undefined> };
}

export async function projectView(
  project: Project,
  { endpointOf, projects, published, defaultUrls }: ProjectViewParts,
): Promise<ProjectView> {
  const endpointUrl = `https://${endpointOf(project.apiId)}/${project.stage}`;
  const primary = reachedPrimary(project);
  const { state, openBecause } =
    project.whileLive === 'closed' && project.apiId === published.apiId
      ? requiredEndpoint(
          // This command may just have changed the project.
          [project, ...(await projects.list()).filter(({ id }) => id !== project.id)],
          project.apiId,
        )
      : { state: 'open' as const, openBecause: null };
  const view = (await defaultUrls.views())(project) ?? endpointView(project, endpointUrl, state, openBecause);
  return {
    ...project,
    url: primary ? `https://${primary}` : view.url,
    defaultUrl: view.url,
    defaultUrlState: view.state,
    defaultUrlReason: view.reason,
    endpointUrl,
    defaultEndpoint: state,
    openBecause,
  };
}

/** The default URL in an environment without a platform domain. */
function endpointView(
  project: Project,
  url: string,
  endpoint: 'open' | 'closed',
  openBecause: string | null,
): DefaultUrlView {
  const unmet = deployRequired(project);
  if (unmet) return { url, state: 'pending', reason: unmet.message };
  const state = endpoint === 'closed' ? 'closed' : 'serving';
  return { url, state, reason: openBecause ?? endpointReason(project) };
}

function endpointReason(project: Project): string | null {
  if (reachedPrimary(project) === undefined) return awayReason(project);
  return project.whileLive === 'redirect'
    ? "Without a platform domain it can't redirect, so it serves the project alongside the primary domain."
    : null;
}
