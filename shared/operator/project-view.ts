import { type RequiredEndpoint, requiredEndpoint, wantsClosed } from '../projects/default-endpoint.ts';
import type { Project } from '../projects/project.ts';
import { livePrimary } from '../projects/routing.ts';

/** A project with its addresses, as operators are shown it. */
export type ProjectView = Project & {
  /** Where the project is: its primary domain while that is live, and its default address otherwise. */
  readonly address: string;
  /** Where the project is published by default. It works beside the domains, too, unless it is closed. */
  readonly defaultAddress: string;
  /** Whether the default address answers; closed it answers 403. A change takes effect within minutes. */
  readonly defaultEndpoint: RequiredEndpoint['state'];
  /** Why the default address is open although the project wants it closed. */
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
