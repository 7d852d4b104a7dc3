import * as z from 'zod/mini';
import { INT64, oneOf, storedObject, TEXT } from '../aws/stored-fields.ts';

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

/** How an order's fields are stored. */
export const STORED_ORDER = storedObject<Order>('order', {
  required: { id: INT64, petId: INT64, status: oneOf(OrderStatus.options), placedAt: TEXT },
  optional: {},
});

/**
 * Orders table: partition key `list` (S, always `orders`), sort key `id` (N); orders are few and are read in the order
 * of their ids. Index `byStatus`: partition key `status` (S), sort key `id`. Besides the fields of an Order an item has
 * `writeToken`, which identifies the write that added it, for a retry whose first response was lost.
 */
export const ORDERS_TABLE = {
  partitionKey: 'list',
  partition: 'orders',
  sortKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
} as const;
