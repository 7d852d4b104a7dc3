import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { auditLog } from '../../../shared/audit/audit-log.ts';
import { itemPages, readItems } from '../../../shared/aws/item-pages.ts';
import { transact } from '../../../shared/aws/transaction.ts';
import { domainStore } from '../../../shared/domains/life/domain-store.ts';
import { outboxWrite } from '../../../shared/domains/life/outbox.ts';
import { orderStore } from '../../../shared/orders/order-store.ts';
import { projectStore } from '../../../shared/projects/project-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { storedKey } from '../api-keys/stored-keys.ts';
import { claimed, someEvent } from '../domains/claimed-domain.ts';
import { someProject } from '../projects/some-project.ts';
import { pageCuttingEngine } from './faulty-engine.ts';

/** A list of numbers whose pages have these sizes, as far as the Limit allows; the last size holds for the rest. */
function listCutInto(sizes: readonly number[], total: number) {
  let reads = 0;
  const numbers = Array.from({ length: total }, (_, number) => number);
  return async ({ Limit = 1000, ExclusiveStartKey }: PageParameters) => {
    const start = Number(ExclusiveStartKey?.next?.N ?? 0);
    const size = Math.min(Limit, sizes[reads] ?? 1000);
    reads += 1;
    const Items = numbers.slice(start, start + size);
    const next = start + Items.length;
    // DynamoDB may give a continuation after the last item, too.
    return next < total || size === Items.length
      ? { Items, LastEvaluatedKey: { next: { N: String(next) } } }
      : { Items };
  };
}

interface PageParameters {
  Limit?: number;
  ExclusiveStartKey?: Record<string, AttributeValue>;
}

test('readItems returns the first items, or all, wherever the pages are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 0, max: 4 }), { maxLength: 20 }),
      fc.integer({ min: 0, max: 30 }),
      fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
      async (sizes, total, count) => {
        const items = await readItems(listCutInto(sizes, total), count);
        expect(items).toEqual(Array.from({ length: Math.min(total, count ?? total) }, (_, number) => number));
      },
    ),
  );
});

test('readItems reads one page where that is enough, and asks for no more than are missing', async () => {
  const readPage = vi.fn(listCutInto([21], 50));
  expect(await readItems(readPage, 21)).toHaveLength(21);
  expect(readPage.mock.calls).toEqual([[{ Limit: 21 }]]);
  const readCut = vi.fn(listCutInto([4, 0], 50));
  expect(await readItems(readCut, 6)).toHaveLength(6);
  expect(readCut.mock.calls.map(([{ Limit }]) => Limit)).toEqual([6, 2, 2]);
});

test('itemPages reads a page when it is asked for, and without a Limit where there is no count', async () => {
  const readPage = vi.fn(listCutInto([3, 3], 9));
  const pages = itemPages(readPage);
  expect((await pages.next()).value).toEqual([0, 1, 2]);
  expect(readPage.mock.calls).toEqual([[{}]]);
  expect((await pages.next()).value).toEqual([3, 4, 5]);
  expect(readPage).toHaveBeenCalledTimes(2);
});

test('every list of a store is whole when DynamoDB cuts its pages', async () => {
  const orders = await tableLike('OrdersTable');
  const keys = await tableLike('ApiKeysTable');
  const projects = await tableLike('ProjectsTable');
  const domains = await tableLike('DomainsTable');
  const audit = await tableLike('OperatorAudit');
  const numbers = [1, 2, 3, 4, 5];
  for (const number of numbers) {
    const at = `2026-01-0${number}T00:00:00.000Z`;
    await storedKey(keys, { createdAt: at });
    await transact([
      orderStore(orders).addition({ id: BigInt(number), petId: 9n, status: 'placed', placedAt: at }),
      projectStore(projects).addition(someProject({ id: `zoo-${number}` })),
      domainStore(domains).claim(claimed({ domain: `${number}.zoo.example` })),
      outboxWrite(domains, someEvent({ revision: number, at })),
      auditLog(audit).record({ requestId: at, at, by: 'jane', claimedBy: null, command: 'x', input: null }),
    ]);
  }
  const engine = await pageCuttingEngine();
  const stores = await engine.under(async () => ({
    ...(await import('../../../shared/audit/audit-log.ts')),
    ...(await import('../../../shared/api-keys/api-key-store.ts')),
    ...(await import('../../../shared/domains/life/outbox.ts')),
    ...(await import('../../../shared/domains/life/domain-store.ts')),
    ...(await import('../../../shared/orders/order-store.ts')),
    ...(await import('../../../shared/projects/project-store.ts')),
  }));
  const page = await stores.orderStore(orders).list({ limit: 4 });
  expect(page.elements.map(({ id }) => id)).toEqual([1n, 2n, 3n, 4n]);
  expect(page.hasMore).toBe(true);
  const placed = await stores.orderStore(orders).list({ limit: 5, status: 'placed' });
  expect(placed.elements).toHaveLength(5);
  expect(placed.hasMore).toBe(false);
  const newest = await stores.orderStore(orders).newest({ status: 'placed' }, 4);
  expect(newest.map(({ id }) => id)).toEqual([5n, 4n, 3n, 2n]);
  expect(await stores.auditLog(audit).list(9)).toHaveLength(5);
  expect(await stores.apiKeyStore(keys).list()).toHaveLength(5);
  expect(await stores.projectStore(projects).list()).toHaveLength(5);
  expect(await stores.domainStore(domains).listOf('zoo')).toHaveLength(5);
  expect(await stores.domainStore(domains).all()).toHaveLength(5);
  const events = (await Array.fromAsync(stores.outbox(domains).pages())).flat();
  expect(events.map(({ revision }) => revision)).toEqual(numbers);
  expect(engine.cuts).toBeGreaterThan(40);
});
