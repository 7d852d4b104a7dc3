import { afterEach, describe, expect, test, vi } from 'vitest';
import { cloudFormationService, DeployedStacks } from '../../../infra/local/deployed-stacks.ts';
import { recordingPrincipal, serveEndpoint } from '../../../infra/local/test/aws-api/served-endpoint.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { loggedLines } from '../logged-lines.ts';

const AT = '2026-01-31T12:00:00.000Z';

/** The function with a default endpoint whose reconcile does this, in a stack with this status. */
async function reconcileEndpoint(reconcile: () => Promise<void>, StackStatus?: string) {
  const stacks = new DeployedStacks();
  const [{ StackId = '' } = {}] = stacks.deploy(['Petstore-Staging']);
  if (StackStatus) stacks.describe = () => ({ StackId, StackStatus }) as never;
  const { principal, asked } = recordingPrincipal();
  const { endpoint } = await serveEndpoint({ cloudformation: cloudFormationService(stacks) }, principal);
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', endpoint);
  vi.stubEnv('STACK_ID', StackId);
  const table = await tableLike('ProjectsTable');
  vi.stubEnv('PROJECTS_TABLE', table);
  for (const name of ['REST_API_ID', 'STAGE_NAME']) vi.stubEnv(name, 'any');
  vi.resetModules();
  vi.doMock('../../../shared/projects/default-endpoint.ts', () => ({
    defaultEndpoint: () => ({ reconcile }),
  }));
  const { handler } = await import('../../../functions/projects/reconcile-endpoint.ts');
  return { handler, projects: projectStore(table), asked };
}

describe('the function that reconciles the default endpoint', () => {
  afterEach(() => {
    vi.doUnmock('../../../shared/projects/default-endpoint.ts');
    vi.unstubAllEnvs();
  });

  test('logs that its run is complete, unless a deploy started it', async () => {
    const { handler, projects } = await reconcileEndpoint(async () => {});
    await projects.recordDeploy({ id: 'petstore', plan: 'pro', apiId: 'any', stage: 'any' }, AT);
    const lines = loggedLines();
    await handler({ source: 'aws.cloudformation' });
    expect(lines()).toEqual([]);
    await handler({ source: 'aws.events' });
    expect(lines()).toMatchObject([{ level: 'INFO', message: RUN_COMPLETED }]);
  });

  test.each([
    ['nobody recorded', undefined],
    ['that created another API', 'former'],
  ])('records a deploy %s, once', async (_, apiId) => {
    const { handler, projects, asked } = await reconcileEndpoint(async () => {});
    if (apiId) await projects.recordDeploy({ id: 'petstore', plan: 'free', apiId, stage: 'any' }, AT);
    loggedLines();
    await handler({ source: 'aws.events' });
    const recorded = await projects.list();
    expect(recorded).toMatchObject([{ id: 'petstore', apiId: 'any', deploy: { state: 'succeeded' } }]);
    await handler({ source: 'aws.events' });
    expect(await projects.list()).toEqual(recorded);
    expect(asked).toMatchObject([
      { permission: expect.stringMatching(/^cloudformation:DescribeStacks arn:/) },
    ]);
  });

  test.each([
    ...['CREATE_IN_PROGRESS', 'UPDATE_IN_PROGRESS', 'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS'],
    ...['UPDATE_ROLLBACK_IN_PROGRESS', 'UPDATE_ROLLBACK_COMPLETE', 'UPDATE_ROLLBACK_FAILED'],
  ])('records no deploy while the stack is %s', async status => {
    const { handler, projects } = await reconcileEndpoint(async () => {}, status);
    loggedLines();
    await handler({ source: 'aws.events' });
    expect(await projects.list()).toEqual([]);
  });

  test('logs no completed run when the reconcile fails', async () => {
    const { handler } = await reconcileEndpoint(() => Promise.reject(new Error('throttled')));
    const lines = loggedLines();
    await expect(handler({ source: 'aws.cloudformation' })).rejects.toThrow('throttled');
    expect(lines()).toEqual([]);
  });
});
