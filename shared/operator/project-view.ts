import { type RequiredEndpoint, requiredEndpoint, wantsClosed } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { livePrimary } from '../projects/routing.ts';

/** A project with its URLs, as operators see it. */
export type ProjectView = Project & {
  /** The URL of the project: its primary domain while that is live, otherwise its default endpoint. */
  readonly address: string;
  /** The URL of the default endpoint. It works beside the domains, unless it's closed. */
  readonly defaultAddress: string;
  /** Whether the default endpoint responds; closed, it responds with 403. A change takes effect within minutes. */
  readonly defaultEndpoint: RequiredEndpoint['state'];
  /** Why the default endpoint is open although the project wants it closed. */
  readonly openBecause: string | null;
};

interface ProjectViewParts {
  /** The host of an API on AWS. */
  readonly endpointOf: (apiId: string) => string;
  readonly projects: { list(): Promise<Project[]> };
}

export async function projectView(
  project: Project,
  { endpointOf, projects }: ProjectViewParts,
): Promise<ProjectView> {
  const defaultAddress = `https://${endpointOf(project.apiId)}/${project.stage}`;
  const primary = livePrimary(project);
  const { state, openBecause } = wantsClosed(project)
    ? requiredEndpoint(
        // The project may be changed by this very command.
        [project, ...(await projects.list()).filter(({ id }) => id !== project.id)],
        project.apiId,
      )
    : { state: 'open' as const, openBecause: null };
  return {
    ...project,
    address: primary ? `https://${primary}` : defaultAddress,
    defaultAddress,
    defaultEndpoint: state,
    openBecause,
  };
}
