import { projectUrls } from '../../shared/domains/composition.ts';
import { required } from '../../shared/environment.ts';
import { logCompletedRun } from '../../shared/log.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const endpoint = defaultEndpoint({
  projects: projectStore(required('PROJECTS_TABLE')),
  apiId: required('REST_API_ID'),
  stage: required('STAGE_NAME'),
});
const urls = projectUrls();

/**
 * Every few minutes and after a deploy: makes sure that the default URLs of projects are as they should be, and opens or
 * closes the default endpoint, because primary domains go live and end by themselves.
 */
export async function handler({ source }: { readonly source?: string }): Promise<void> {
  const isDeployed = source === 'aws.cloudformation';
  const parts = await Promise.allSettled([endpoint.reconcile(), urls.reconcile({ isDeployed })]);
  for (const part of parts) if (part.status === 'rejected') throw part.reason;
  // A deploy is no heartbeat of the schedule.
  if (!isDeployed) logCompletedRun();
}
