import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import { orderList } from '../../../shared/orders/order-list.ts';
import { orderStore } from '../../../shared/orders/order-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';
import { orderOf, STATUSES } from './order-fixture.ts';

const present = Array.from({ length: 20 }, (_, place) =>
  orderOf(BigInt(place + 1) * 10n, STATUSES[place % 3]),
);

let table: string;
beforeAll(async () => {
  table = await tableLike('OrdersTable');
  const store = orderStore(table);
  await transact(present.map(order => store.addition(order)));
});

test('a page of any limit and status has the orders after any id, in order of id', async () => {
  const { list } = orderList(table);
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom(undefined, ...STATUSES),
      fc.option(fc.bigInt({ min: 0n, max: 210n }), { nil: undefined }),
      async (limit, status, after) => {
        const expected = present
          .filter(order => status === undefined || order.status === status)
          .filter(({ id }) => after === undefined || id > after);
        expect(await list({ limit, status, after })).toEqual({
          elements: expected.slice(0, limit),
          hasMore: expected.length > limit,
        });
      },
    ),
    {
      numRuns: 30,
      examples: [
        [20, undefined, undefined],
        [19, undefined, undefined],
        [7, 'placed', 0n],
      ],
    },
  );
});

test('a page is one Query, of one more than the limit', async () => {
  const engine = await faultyEngine();
  const module = await engine.under(() => import('../../../shared/orders/order-list.ts'));
  for (const status of [undefined, ...STATUSES]) {
    await module.orderList(table).list({ limit: 5, status, after: 10n });
  }
  expect(engine.requests).toMatchObject(Array(4).fill({ operation: 'Query', input: { Limit: 6 } }));
});
