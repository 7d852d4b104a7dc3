import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import { orderStore } from '../../../shared/orders/order-store.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import {
  type ClientRequest,
  expectError,
  invoke,
  nextQuery as nextQueryAt,
  proxyEvent,
  type ReadResponse,
} from '../proxy-event.ts';

const STATUSES = ['placed', 'approved', 'delivered'] as const;
const COUNT = 22;
const SECRET = 'a secret of the test';

let table: string;
beforeAll(async () => {
  table = await tableLike('OrdersTable');
  const store = orderStore(table);
  const orders = Array.from({ length: COUNT }, (_, place) => ({
    id: BigInt(place + 1),
    petId: 2n ** 53n - 1n,
    status: STATUSES[place % 3] ?? 'placed',
    placedAt: '2026-01-31T12:00:00.000Z',
  }));
  await transact(orders.map(order => store.addition(order)));
});

async function listOrders(ordersTable = table) {
  vi.stubEnv('ORDERS_TABLE', ordersTable);
  vi.stubEnv('CURSOR_SECRET', SECRET);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  vi.resetModules();
  const { handler } = await import('../../../functions/orders/list-orders.ts');
  return (request: ClientRequest = {}) =>
    invoke(handler, proxyEvent({ path: '/v1/store/orders', ...request }));
}

const ids = ({ body }: ReadResponse) => (body as { id: bigint }[]).map(({ id }) => Number(id));
const numbers = (from: number, to: number, step = 1) =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, place) => from + place * step);

const nextQuery = (response: ReadResponse) => nextQueryAt(response, '/store/orders');

describe('200', () => {
  test('an order has exactly id, petId, status and placedAt', async () => {
    const list = await listOrders();
    const response = await list({ query: { limit: '1' } });
    expect(response.text).toBe(
      '[{"id":1,"petId":9007199254740991,"status":"placed","placedAt":"2026-01-31T12:00:00.000Z"}]',
    );
    expect(response.status).toBe(200);
  });

  test('only orders of the status, and a Link that keeps the filter', async () => {
    const list = await listOrders();
    const response = await list({ query: { status: 'approved', limit: '4' } });
    expect(ids(response)).toEqual(numbers(2, 11, 3));
    expect(nextQuery(response)).toMatchObject({ status: 'approved', limit: '4' });
    expect(ids(await list({ query: nextQuery(response) ?? {} }))).toEqual(numbers(14, 20, 3));
  });
});

describe('400', () => {
  test('a status of pets', async () => {
    const list = await listOrders('no-table');
    const response = await list({ query: { status: 'available' } });
    expectError(response, 400, 'invalid_request', 'status must be one of placed, approved, delivered');
  });

  test('a cursor that is altered, of another filter, or of listPets', async () => {
    const list = await listOrders();
    const { cursor = '' } = nextQuery(await list({ query: { limit: '2' } })) ?? {};
    const { cursors } = await import('../../../shared/http/cursor.ts');
    expect(cursors(SECRET, 'listOrders').after(2n)).toBe(cursor);
    for (const query of [
      { cursor: `${cursor}x` },
      { cursor, status: 'placed' },
      { cursor: cursors(SECRET, 'listPets').after(2n) },
    ]) {
      expectError(await list({ query }), 400, 'invalid_cursor');
    }
  });
});
