import { expect, onTestFinished, test, vi } from 'vitest';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { ENVIRONMENT, gatewayParts, localGateway } from '../../shared/api-keys/local-gateway.ts';
import { storedKey } from '../../shared/api-keys/stored-keys.ts';
import { loggedLines } from '../logged-lines.ts';

test('removes the gateway key of an expired key, and leaves that of a valid one', async () => {
  const [gateway, table] = [await localGateway(), await tableLike('ApiKeysTable')];
  vi.stubEnv('API_KEYS_TABLE', table);
  vi.stubEnv('ENVIRONMENT', ENVIRONMENT);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  const { id: valid } = await storedKey(table);
  const { id: expired } = await storedKey(table, { expiresAt: '2026-01-31T13:00:00.000Z' });
  for (const id of [valid, expired]) await gatewayParts().plan.addKey(id);
  vi.resetModules();
  const { handler } = await import('../../../functions/api-keys/reconcile-keys.ts');
  const lines = loggedLines();
  expect(await handler()).toEqual({ removed: [expired], remaining: 0 });
  expect(lines()).toMatchObject([{ message: RUN_COMPLETED, removed: 1, remaining: 0 }]);
  expect(gateway.members()).toEqual([valid]);
});
