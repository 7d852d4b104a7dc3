import { afterEach, describe, expect, test, vi } from 'vitest';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { loggedLines } from '../logged-lines.ts';

/** The function with a default endpoint whose reconcile does this. */
async function reconcileEndpoint(reconcile: () => Promise<void>) {
  for (const name of ['PROJECTS_TABLE', 'REST_API_ID', 'STAGE_NAME']) vi.stubEnv(name, 'any');
  vi.resetModules();
  vi.doMock('../../../shared/projects/default-endpoint.ts', () => ({
    defaultEndpoint: () => ({ reconcile }),
  }));
  return (await import('../../../functions/projects/reconcile-endpoint.ts')).handler;
}

describe('the function that reconciles the default endpoint', () => {
  afterEach(() => {
    vi.doUnmock('../../../shared/projects/default-endpoint.ts');
    vi.unstubAllEnvs();
  });

  test('logs that its run is complete, unless a deploy started it', async () => {
    const handler = await reconcileEndpoint(async () => {});
    const lines = loggedLines();
    await handler({ source: 'aws.cloudformation' });
    expect(lines()).toEqual([]);
    await handler({ source: 'aws.events' });
    expect(lines()).toMatchObject([{ level: 'INFO', message: RUN_COMPLETED }]);
  });

  test('logs no completed run when the reconcile fails', async () => {
    const handler = await reconcileEndpoint(() => Promise.reject(new Error('throttled')));
    const lines = loggedLines();
    await expect(handler({})).rejects.toThrow('throttled');
    expect(lines()).toEqual([]);
  });
});
