import type { Order, OrderStatus } from '../../../shared/orders/order.ts';

export const STATUSES = ['placed', 'approved', 'delivered'] as const;

export const orderOf = (id: bigint, status: OrderStatus = 'placed'): Order => ({
  id,
  petId: id + 100n,
  status,
  placedAt: '2026-01-31T12:00:00.000Z',
});
