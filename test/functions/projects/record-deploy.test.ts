import { describe, expect, test, vi } from 'vitest';
import type { Project } from '../../../shared/projects/project.ts';
import { NO_ROUTING } from '../../../shared/projects/routing.ts';
import { tableLike } from '../../setup/stack-tables.ts';

const FIRST: Project = {
  id: 'aviary',
  plan: 'pro',
  deploy: { state: 'succeeded', at: '2026-01-31T12:00:00.000Z', succeededAt: '2026-01-31T12:00:00.000Z' },
  apiId: 'abcdefghij',
  stage: 'staging',
  createdAt: '2026-01-31T12:00:00.000Z',
  endpointWhileLive: 'open',
  ...NO_ROUTING,
};

/** The function for the project `aviary` and this API, and the store of its table. */
async function recordDeployFunction(table: string, apiId: string) {
  vi.stubEnv('PROJECTS_TABLE', table);
  vi.stubEnv('PROJECT_ID', FIRST.id);
  vi.stubEnv('REST_API_ID', apiId);
  vi.stubEnv('STAGE_NAME', FIRST.stage);
  vi.resetModules();
  const { handler } = await import('../../../functions/projects/record-deploy.ts');
  const { projectStore } = await import('../../../shared/projects/project-store.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  return { handler, projects: projectStore(table), transact };
}

describe('the function that records deploys', () => {
  test('adds the project of its environment variables, deployed at the time of the event', async () => {
    const { handler, projects } = await recordDeployFunction(await tableLike('ProjectsTable'), FIRST.apiId);
    await handler({ time: '2026-01-31T12:00:00Z' });
    expect(await projects.list()).toEqual([FIRST]);
  });

  test('keeps the plan and the time of creation at a later deploy, and records where it is published', async () => {
    const table = await tableLike('ProjectsTable');
    const first = await recordDeployFunction(table, FIRST.apiId);
    await first.handler({ time: '2026-01-31T12:00:00Z' });
    await first.transact([first.projects.planChange(FIRST.id, 'enterprise')]);
    const later = await recordDeployFunction(table, 'klmnopqrst');
    await later.handler({ time: '2026-02-01T08:30:00Z' });
    expect(await later.projects.list()).toEqual([
      {
        ...FIRST,
        plan: 'enterprise',
        apiId: 'klmnopqrst',
        deploy: {
          state: 'succeeded',
          at: '2026-02-01T08:30:00.000Z',
          succeededAt: '2026-02-01T08:30:00.000Z',
        },
      },
    ]);
  });

  test('records the last deploy as succeeded after one that failed', async () => {
    const { handler, projects, transact } = await recordDeployFunction(
      await tableLike('ProjectsTable'),
      FIRST.apiId,
    );
    await handler({ time: '2026-01-31T12:00:00Z' });
    await transact([projects.deployChange(FIRST.id, 'failed', '2026-01-31T13:00:00.000Z')]);
    await handler({ time: '2026-01-31T14:00:00Z' });
    const at = '2026-01-31T14:00:00.000Z';
    const deploy = { state: 'succeeded', at, succeededAt: at };
    expect(await projects.find(FIRST.id)).toEqual({ ...FIRST, deploy });
  });
});
