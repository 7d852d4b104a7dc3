import type { Project } from '../projects/project.ts';
import { livePrimary } from '../projects/routing.ts';

/** A project with its addresses, as operators are shown it. */
export type ProjectView = Project & {
  /** Where the project is: its primary domain while that is live, and its default address otherwise. */
  readonly address: string;
  /** Where the project is published by default. It works beside the domains, too. */
  readonly defaultAddress: string;
};

/** `endpointOf` is the host of an API on AWS. */
export function projectView(project: Project, endpointOf: (apiId: string) => string): ProjectView {
  const defaultAddress = `https://${endpointOf(project.apiId)}/${project.stage}`;
  const primary = livePrimary(project);
  return { ...project, address: primary ? `https://${primary}` : defaultAddress, defaultAddress };
}
