import * as z from 'zod/mini';

export const OrderStatus = z.enum(
  ['placed', 'approved', 'delivered'],
  'must be one of placed, approved, delivered',
);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** An order for one pet, recorded by an operator. */
export const Order = z.object({
  id: z.bigint(),
  petId: z.bigint(),
  status: OrderStatus,
  /** RFC 3339, in UTC. */
  placedAt: z.string(),
});
export type Order = z.infer<typeof Order>;

export const Orders = z.array(Order);

/**
 * Orders table: partition key `list` (S, always `orders`), sort key `id` (N); orders are few and are read in the order
 * of their ids. Index `byStatus`: partition key `status` (S), sort key `id`; has the fields of an Order. Besides these
 * an item has `writeToken`, which identifies the write that added it, for a retry whose first response was lost.
 */
export const ORDERS_TABLE = {
  partitionKey: 'list',
  partition: 'orders',
  sortKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
  orderAttributes: ['petId', 'placedAt'],
} as const;
