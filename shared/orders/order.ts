import * as z from 'zod/mini';
import { Cursor, Limit } from '../paging.ts';

export const OrderStatus = z.enum(
  ['placed', 'approved', 'delivered'],
  'must be one of placed, approved, delivered',
);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** An order for an animal, as it is kept and answered with; `placedAt` is a time of RFC 3339. */
export const Order = z.object({
  id: z.bigint(),
  petId: z.bigint(),
  status: OrderStatus,
  placedAt: z.string(),
});
export type Order = z.infer<typeof Order>;

export const Orders = z.array(Order);

/** What listOrders accepts. */
export const ListOrders = z.object({
  query: z.object({ limit: Limit, status: z.optional(OrderStatus), cursor: Cursor }),
});
