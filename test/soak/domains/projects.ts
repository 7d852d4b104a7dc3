import { SERVICE_PROJECT_ID } from '../../../shared/projects/service-project.ts';
import type { OperatorClient } from '../operators/operator-client.ts';

const SECOND_PROJECT = 'soak';

/** The projects whose domains the soak adds: that of the service itself, and another. */
export const PROJECTS: readonly string[] = [SERVICE_PROJECT_ID, SECOND_PROJECT];

/** Creates the second project, with what custom domains require. */
export async function createProjects(operator: OperatorClient): Promise<void> {
  await operator.insist('projects.create', { id: SECOND_PROJECT, plan: 'pro' });
  await operator.insist('projects.deployed', { id: SECOND_PROJECT });
}
