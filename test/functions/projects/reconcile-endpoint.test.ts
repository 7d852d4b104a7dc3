import { afterEach, describe, expect, test, vi } from 'vitest';
import { API_ID } from '../../../infra/local/testing/served-api.ts';
import { serveCloudFormation } from '../../../infra/local/testing/served-cloudformation.ts';
import { serveControlPlane } from '../../../infra/local/testing/served-control-plane.ts';
import { recordingPrincipal } from '../../../infra/local/testing/served-endpoint.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { loggedLines } from '../logged-lines.ts';

const AT = '2026-01-31T12:00:00.000Z';

/** The function at the API of the local API Gateway, or at another, in a stack with this status. */
async function reconcileEndpoint({ StackStatus = '', apiId = API_ID } = {}) {
  const { principal, asked } = recordingPrincipal();
  const { endpoint, stackId } = await serveCloudFormation('Petstore-Staging', StackStatus, principal);
  vi.stubEnv('AWS_ENDPOINT_URL_CLOUDFORMATION', endpoint);
  vi.stubEnv('STACK_ID', stackId);
  const table = await tableLike('ProjectsTable');
  vi.stubEnv('PROJECTS_TABLE', table);
  vi.stubEnv('AWS_ENDPOINT_URL_API_GATEWAY', (await serveControlPlane()).endpoint);
  vi.stubEnv('REST_API_ID', apiId);
  vi.stubEnv('STAGE_NAME', 'test');
  vi.resetModules();
  const { handler } = await import('../../../functions/projects/reconcile-endpoint.ts');
  return { handler, projects: projectStore(table), asked };
}

describe('the function that reconciles the default endpoint', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test('logs that its run is complete, unless a deploy started it', async () => {
    const { handler, projects } = await reconcileEndpoint();
    await projects.recordDeploy({ id: 'petstore', plan: 'pro', apiId: API_ID, stage: 'test' }, AT);
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
    const { handler, projects, asked } = await reconcileEndpoint();
    if (apiId) await projects.recordDeploy({ id: 'petstore', plan: 'free', apiId, stage: 'any' }, AT);
    loggedLines();
    await handler({ source: 'aws.events' });
    const recorded = await projects.list();
    expect(recorded).toMatchObject([{ id: 'petstore', apiId: API_ID, deploy: { state: 'succeeded' } }]);
    await handler({ source: 'aws.events' });
    expect(await projects.list()).toEqual(recorded);
    expect(asked).toMatchObject([
      { permission: expect.stringMatching(/^cloudformation:DescribeStacks arn:/) },
    ]);
  });

  test.each([
    'CREATE_IN_PROGRESS',
    'UPDATE_IN_PROGRESS',
    'UPDATE_COMPLETE_CLEANUP_IN_PROGRESS',
    'UPDATE_ROLLBACK_IN_PROGRESS',
    'UPDATE_ROLLBACK_COMPLETE',
    'UPDATE_ROLLBACK_FAILED',
  ])('records no deploy while the stack is %s', async status => {
    const { handler, projects } = await reconcileEndpoint({ StackStatus: status });
    loggedLines();
    await handler({ source: 'aws.events' });
    expect(await projects.list()).toEqual([]);
  });

  test('logs no completed run when the reconcile fails', async () => {
    const { handler } = await reconcileEndpoint({ apiId: 'deletedapi' });
    const lines = loggedLines();
    await expect(handler({ source: 'aws.cloudformation' })).rejects.toThrow('Invalid API identifier');
    expect(lines()).toEqual([]);
  });
});
