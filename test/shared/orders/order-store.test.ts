import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import { type Order, OrderStatus } from '../../../shared/orders/order.ts';
import { type OrderStore, orderStore } from '../../../shared/orders/order-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';

const STATUSES = OrderStatus.options;

const orderOf = (id: bigint, status: OrderStatus = 'placed'): Order => ({
  id,
  petId: id + 100n,
  status,
  placedAt: '2026-01-31T12:00:00.000Z',
});

let table: string;
let store: OrderStore;
beforeEach(async () => {
  table = await tableLike('OrdersTable');
  store = orderStore(table);
});

describe('an addition', () => {
  test.each([5n, 2n ** 53n - 1n, 2n ** 63n - 101n])(
    'makes an order with the id %s that is found and listed',
    async id => {
      const order = orderOf(id);
      await transact([store.addition(order)]);
      expect(await store.find(order.id)).toEqual(order);
      expect(await store.list({ limit: 1 })).toEqual({ elements: [order], hasMore: false });
    },
  );

  test('is refused with OrderIdTaken where another order has the id; a retry of itself is not', async () => {
    const addition = store.addition(orderOf(5n));
    await transact([addition]);
    await transact([addition]);
    const another = transact([store.addition(orderOf(5n, 'approved'))]);
    await expect(another).rejects.toMatchObject({ name: 'OrderIdTaken' });
    expect(await store.find(5n)).toEqual(orderOf(5n));
  });
});

describe('find', () => {
  test('returns undefined for an order that was not placed', async () => {
    await transact([store.addition(orderOf(5n))]);
    for (const id of [0n, 4n, 6n, 2n ** 63n - 1n]) expect(await store.find(id)).toBeUndefined();
  });

  test('reads consistently: a command may follow the change that it has to see', async () => {
    const engine = await faultyEngine();
    const module = await engine.under(() => import('../../../shared/orders/order-store.ts'));
    await module.orderStore(table).find(5n);
    expect(engine.requests).toMatchObject([{ operation: 'GetItem', input: { ConsistentRead: true } }]);
  });
});

test('a status change lists the order under its new status alone', async () => {
  const order = orderOf(5n);
  await transact([store.addition(order)]);
  await transact([store.statusChange(order, 'approved')]);
  const approved = { ...order, status: 'approved' };
  expect(await store.find(5n)).toEqual(approved);
  expect(await store.list({ limit: 1, status: 'approved' })).toEqual({
    elements: [approved],
    hasMore: false,
  });
  expect(await store.list({ limit: 1, status: 'placed' })).toEqual({ elements: [], hasMore: false });
});

test('a removal deletes the order', async () => {
  await transact([store.addition(orderOf(5n))]);
  await transact([store.removal(orderOf(5n))]);
  expect(await store.find(5n)).toBeUndefined();
  expect(await store.list({ limit: 1 })).toEqual({ elements: [], hasMore: false });
});

const CHANGED = expect.objectContaining({
  name: 'OrderChanged',
  message: 'The order 5 was changed by someone else.',
});

test('a status change or a removal is refused with OrderChanged where the order is gone or has another status', async () => {
  const stale = orderOf(5n);
  const writes = () => [store.statusChange(stale, 'delivered'), store.removal(stale)];
  for (const write of writes()) await expect(transact([write])).rejects.toEqual(CHANGED);
  expect(await store.find(5n)).toBeUndefined();
  await transact([store.addition(orderOf(5n, 'approved'))]);
  for (const write of writes()) await expect(transact([write])).rejects.toEqual(CHANGED);
  expect(await store.find(5n)).toEqual(orderOf(5n, 'approved'));
});

test('a page of any limit and status has the orders after any id, in order of id', async () => {
  const present = Array.from({ length: 20 }, (_, place) =>
    orderOf(BigInt(place + 1) * 10n, STATUSES[place % 3]),
  );
  await transact(present.map(order => store.addition(order)));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 25 }),
      fc.constantFrom(undefined, ...STATUSES),
      fc.option(fc.bigInt({ min: 0n, max: 210n }), { nil: undefined }),
      async (limit, status, after) => {
        const expected = present
          .filter(order => status === undefined || order.status === status)
          .filter(({ id }) => after === undefined || id > after);
        expect(await store.list({ limit, status, after })).toEqual({
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
  const module = await engine.under(() => import('../../../shared/orders/order-store.ts'));
  for (const status of [undefined, ...STATUSES]) {
    await module.orderStore(table).list({ limit: 5, status, after: 10n });
  }
  expect(engine.requests).toMatchObject(Array(4).fill({ operation: 'Query', input: { Limit: 6 } }));
});
