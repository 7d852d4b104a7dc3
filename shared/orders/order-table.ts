/**
 * Orders table: partition key `list` (S, always `orders`), sort key `id` (N); orders are few and are read in the order
 * of their ids. Index `byStatus`: partition key `status` (S), sort key `id`; holds the fields of an Order. Besides these
 * an item has `writeToken`, which identifies the write that added it, for a retry whose first answer was lost.
 */
export const ORDERS_TABLE = {
  partitionKey: 'list',
  partition: 'orders',
  sortKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
  orderAttributes: ['petId', 'placedAt'],
} as const;
