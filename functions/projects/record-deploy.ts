import { required } from '../../shared/environment.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const projects = projectStore(required('PROJECTS_TABLE'));
const projectDeploy = {
  id: required('PROJECT_ID'),
  plan: 'pro',
  apiId: required('REST_API_ID'),
  stage: required('STAGE_NAME'),
} as const;

/** Called by EventBridge when this stack was deployed: records a successful deploy of its project. */
export async function handler(event: { readonly time: string }): Promise<void> {
  await projects.recordDeploy(projectDeploy, new Date(event.time).toISOString());
}
