import { projectUrls } from '../../shared/domains/composition.ts';
import { required } from '../../shared/environment.ts';
import { log, logCompletedRun } from '../../shared/log.ts';
import { defaultEndpoint } from '../../shared/projects/default-endpoint.ts';
import { SERVICE_PROJECT_ID } from '../../shared/projects/project-choices.ts';
import { projectStore } from '../../shared/projects/project-store.ts';
import { stackDeploy } from '../../shared/projects/stack-deploy.ts';

const projects = projectStore(required('PROJECTS_TABLE'));
const published = { apiId: required('REST_API_ID'), stage: required('STAGE_NAME') };
const endpoint = defaultEndpoint({ projects, ...published });
const urls = projectUrls();
const deploy = stackDeploy(required('STACK_ID'));

/**
 * Every few minutes and after a deploy: puts the default URLs of projects right, and opens or closes the default endpoint:
 * primary domains go live, end or lose their visitors without any command.
 */
export async function handler({ source }: { readonly source?: string }): Promise<void> {
  const isDeployed = source === 'aws.cloudformation';
  if (!isDeployed) await recordMissedDeploy();
  const reconciled = await Promise.allSettled([endpoint.reconcile(), urls.reconcile({ isDeployed })]);
  for (const part of reconciled) if (part.status === 'rejected') throw part.reason;
  // A deploy doesn't count as a scheduled run.
  if (!isDeployed) logCompletedRun();
}

/**
 * If CloudFormation is done and this API isn't the one of the service's project, the event of a deploy was lost. Before
 * CloudFormation is done, this function may belong to a deploy that fails.
 */
async function recordMissedDeploy(): Promise<void> {
  const recorded = (await projects.list()).find(({ id }) => id === SERVICE_PROJECT_ID);
  if (recorded?.apiId === published.apiId && recorded.deploy.succeededAt !== null) return;
  if (!(await deploy.hasSucceeded())) return;
  await projects.recordDeploy(
    { id: SERVICE_PROJECT_ID, plan: 'pro', ...published },
    new Date().toISOString(),
  );
  log.warn('A deploy was not recorded by its event.', published);
}
