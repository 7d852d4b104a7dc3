import { expect, test, vi } from 'vitest';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { DEPLOYED, someProject } from '../../shared/projects/some-project.ts';

const FIRST = someProject({ id: 'aviary', deploy: DEPLOYED });

test('adds the project of its environment variables, deployed at the time of the event', async () => {
  const table = await tableLike('ProjectsTable');
  vi.stubEnv('PROJECTS_TABLE', table);
  vi.stubEnv('PROJECT_ID', FIRST.id);
  vi.stubEnv('REST_API_ID', FIRST.apiId);
  vi.stubEnv('STAGE_NAME', FIRST.stage);
  const { handler } = await import('../../../functions/projects/record-deploy.ts');
  await handler({ time: '2026-01-31T12:00:00Z' });
  expect(await projectStore(table).list()).toEqual([FIRST]);
});
