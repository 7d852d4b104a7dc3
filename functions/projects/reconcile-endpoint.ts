import { required } from '../../shared/environment.ts';
import { logCompletedRun } from '../../shared/log.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';
import { projectStore } from '../../shared/projects/project-store.ts';

const endpoint = defaultEndpoint({
  projects: projectStore(required('PROJECTS_TABLE')),
  apiId: required('REST_API_ID'),
  stage: required('STAGE_NAME'),
});

/** Every few minutes: opens or closes the default endpoint, because primary domains go live and end by themselves. */
export async function handler(): Promise<void> {
  await endpoint.reconcile();
  logCompletedRun();
}
