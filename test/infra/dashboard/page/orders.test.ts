import { expect, test } from 'vitest';
import { ordersOf } from '../../../../infra/dashboard/page/orders.ts';
import type { AuditEntry } from '../../../../shared/operator/contract.ts';

const entry = (command: string, minute: number, result: unknown): AuditEntry => ({
  requestId: `${command} ${minute}`,
  at: `2026-01-01T12:0${minute}:00.000Z`,
  by: 'local:sam',
  command,
  input: {},
  result,
});
const order = (id: number, status: string) => ({
  id,
  petId: id + 100,
  status,
  placedAt: '2026-01-01T12:00:00.000Z',
});

test('an order has the status of its latest change, whatever the order of the entries', () => {
  const entries = [
    entry('orders.place', 0, order(1, 'placed')),
    entry('orders.deliver', 4, order(1, 'delivered')),
    entry('orders.approve', 2, order(1, 'approved')),
    entry('orders.place', 3, order(2, 'placed')),
  ];
  expect(ordersOf(entries).map(({ id, status }) => [id, status])).toEqual([
    [1, 'delivered'],
    [2, 'placed'],
  ]);
});

test('a cancelled order is cancelled, although its entry has the status before', () => {
  expect(ordersOf([entry('orders.cancel', 1, order(1, 'placed'))])).toMatchObject([
    { id: 1, status: 'cancelled' },
  ]);
});

test('other changes, and results that are no order, are left out', () => {
  expect(ordersOf([entry('keys.create', 1, order(1, 'placed')), entry('orders.place', 2, null)])).toEqual([]);
});
