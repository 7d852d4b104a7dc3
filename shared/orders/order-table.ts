/**
 * Orders table: partition key `list` (S, always `orders`), sort key `id` (N); orders are few and are read in the order
 * of their ids. Index `byStatus`: partition key `status` (S), sort key `id`; holds what an Order has. Besides the fields
 * of an Order an item has `writeToken`, which tells our own write from another's.
 */
export const ORDERS_TABLE = {
  partitionKey: 'list',
  sortKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'status', sortKey: 'id' },
  orderAttributes: ['petId', 'placedAt'],
} as const;
