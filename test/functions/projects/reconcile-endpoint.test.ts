import { afterEach, describe, expect, test, vi } from 'vitest';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { loggedLines } from '../logged-lines.ts';

const AT = '2026-01-31T12:00:00.000Z';

/** The function with a default endpoint whose reconcile does this. */
async function reconcileEndpoint(reconcile: () => Promise<void>) {
  const table = await tableLike('ProjectsTable');
  vi.stubEnv('PROJECTS_TABLE', table);
  for (const name of ['REST_API_ID', 'STAGE_NAME']) vi.stubEnv(name, 'any');
  vi.resetModules();
  vi.doMock('../../../shared/projects/default-endpoint.ts', () => ({
    defaultEndpoint: () => ({ reconcile }),
  }));
  const { handler } = await import('../../../functions/projects/reconcile-endpoint.ts');
  return { handler, projects: projectStore(table) };
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
    const { handler, projects } = await reconcileEndpoint(async () => {});
    if (apiId) await projects.recordDeploy({ id: 'petstore', plan: 'free', apiId, stage: 'any' }, AT);
    loggedLines();
    await handler({ source: 'aws.events' });
    const recorded = await projects.list();
    expect(recorded).toMatchObject([{ id: 'petstore', apiId: 'any', deploy: { state: 'succeeded' } }]);
    await handler({ source: 'aws.events' });
    expect(await projects.list()).toEqual(recorded);
  });

  test('logs no completed run when the reconcile fails', async () => {
    const { handler } = await reconcileEndpoint(() => Promise.reject(new Error('throttled')));
    const lines = loggedLines();
    await expect(handler({ source: 'aws.cloudformation' })).rejects.toThrow('throttled');
    expect(lines()).toEqual([]);
  });
});
