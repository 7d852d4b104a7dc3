import { expect, onTestFinished, test, vi } from 'vitest';
import { serveEvents } from '../../../infra/local/testing/served-events.ts';
import { RUN_COMPLETED } from '../../../shared/log.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { stubEndpoint } from '../../shared/domains/aws/client-endpoint.ts';
import { someEvent } from '../../shared/domains/claimed-domain.ts';

/** The function over a table of its own, whose outbox has one event; the events that it publishes, and its log. */
async function publishFunction({ environment = 'staging' } = {}) {
  const [table, { endpoint, accepted }] = await Promise.all([tableLike('DomainsTable'), serveEvents()]);
  stubEndpoint('EVENTBRIDGE', endpoint);
  vi.stubEnv('ENVIRONMENT', environment);
  vi.stubEnv('DOMAINS_TABLE', table);
  vi.resetModules();
  const { handler } = await import('../../../functions/domains/publish-events.ts');
  const { outboxWrite } = await import('../../../shared/domains/life/outbox.ts');
  const { transact } = await import('../../../shared/aws/transaction.ts');
  await transact([outboxWrite(table, someEvent())]);
  const lines: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation(line => lines.push(String(line)) > 0);
  onTestFinished(() => {
    vi.restoreAllMocks();
  });
  return { handler, accepted, logged: () => lines.map(line => JSON.parse(line)) };
}

test('publishes the outbox under the source of its environment, and logs the completed run', async () => {
  const { handler, accepted, logged } = await publishFunction();
  expect(await handler()).toEqual({ published: 1 });
  expect(await handler()).toEqual({ published: 0 });
  expect(accepted).toMatchObject([{ source: 'petstore.staging', 'detail-type': 'Domain failed' }]);
  expect(logged()).toMatchObject([
    { message: RUN_COMPLETED, published: 1 },
    { message: RUN_COMPLETED, published: 0 },
  ]);
});

test('logs which event EventBridge does not accept, and fails without completing the run', async () => {
  // The source is too long for EventBridge.
  const { handler, accepted, logged } = await publishFunction({ environment: 'e'.repeat(300) });
  await expect(handler()).rejects.toThrow('EventBridge has not accepted 1 of the events');
  expect(accepted).toEqual([]);
  const { id, domain, type } = someEvent();
  expect(logged()).toMatchObject([
    { level: 'WARN', id, domain, type, error: expect.stringContaining('InvalidArgument') },
  ]);
});
