import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import type { Order, OrderStatus } from '../../../shared/orders/order.ts';
import { type OrderStore, orderStore } from '../../../shared/orders/order-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { faultyEngine } from '../aws/faulty-engine.ts';

const STATUSES = ['placed', 'approved', 'delivered'] as const;

const orderOf = (id: bigint, status: OrderStatus = 'placed'): Order => ({
  id,
  petId: id + 100n,
  status,
  placedAt: '2026-01-31T12:00:00.000Z',
});

let table: string;
let store: OrderStore;
const newStore = async () => {
  table = await tableLike('OrdersTable');
  store = orderStore(table);
};

describe('an order', () => {
  beforeEach(newStore);

  test('that was added is found and listed', async () => {
    const order = orderOf(2n ** 53n - 1n);
    await transact([store.addition(order)]);
    expect(await store.find(order.id)).toEqual(order);
    expect(await store.list({ limit: 1 })).toEqual({ elements: [order], hasMore: false });
  });

  test('that nobody placed is not found', async () => {
    await transact([store.addition(orderOf(5n))]);
    for (const id of [0n, 4n, 6n, 2n ** 63n - 1n]) expect(await store.find(id)).toBeUndefined();
  });

  test('that moves on is listed under its new status alone', async () => {
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

  test('that is taken away is gone', async () => {
    await transact([store.addition(orderOf(5n))]);
    await transact([store.removal(orderOf(5n))]);
    expect(await store.find(5n)).toBeUndefined();
    expect(await store.list({ limit: 1 })).toEqual({ elements: [], hasMore: false });
  });

  const MOVED = expect.objectContaining({
    name: 'OrderMoved',
    message: 'The order 5 was changed by someone else.',
  });

  test('refused: one that is no longer where it was, or gone', async () => {
    const stale = orderOf(5n);
    const writes = () => [store.statusChange(stale, 'delivered'), store.removal(stale)];
    for (const write of writes()) await expect(transact([write])).rejects.toEqual(MOVED);
    expect(await store.find(5n)).toBeUndefined();
    await transact([store.addition(orderOf(5n, 'approved'))]);
    for (const write of writes()) await expect(transact([write])).rejects.toEqual(MOVED);
    expect(await store.find(5n)).toEqual(orderOf(5n, 'approved'));
  });

  test('refused: an id that is taken; our own addition is not', async () => {
    const addition = store.addition(orderOf(5n));
    await transact([addition]);
    await transact([addition]);
    const another = transact([store.addition(orderOf(5n, 'approved'))]);
    await expect(another).rejects.toMatchObject({ name: 'OrderIdTaken' });
    expect(await store.find(5n)).toEqual(orderOf(5n));
  });
});

describe('pages', () => {
  const present = Array.from({ length: 20 }, (_, place) =>
    orderOf(BigInt(place + 1) * 10n, STATUSES[place % 3]),
  );
  beforeAll(async () => {
    await newStore();
    await transact(present.map(order => store.addition(order)));
  });

  test('of any limit, status and place hold what comes after it, in order of id', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom(undefined, ...STATUSES),
        fc.option(fc.bigInt({ min: 0n, max: 210n }), { nil: undefined }),
        async (limit, status, after) => {
          const wanted = present
            .filter(order => status === undefined || order.status === status)
            .filter(({ id }) => after === undefined || id > after);
          expect(await store.list({ limit, status, after })).toEqual({
            elements: wanted.slice(0, limit),
            hasMore: wanted.length > limit,
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

  test('are one Query each, of one more than the limit', async () => {
    const engine = await faultyEngine();
    const module = await engine.under(() => import('../../../shared/orders/order-store.ts'));
    for (const status of [undefined, ...STATUSES]) {
      await module.orderStore(table).list({ limit: 5, status, after: 10n });
    }
    expect(engine.requests).toMatchObject(Array(4).fill({ operation: 'Query', input: { Limit: 6 } }));
  });
});
