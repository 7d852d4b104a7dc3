import * as z from 'zod/mini';

export const OrderStatus = z.enum(
  ['placed', 'approved', 'delivered'],
  'must be one of placed, approved, delivered',
);
export type OrderStatus = z.infer<typeof OrderStatus>;

/** An order for one animal, recorded by an operator. */
export const Order = z.object({
  id: z.bigint(),
  petId: z.bigint(),
  status: OrderStatus,
  /** RFC 3339, in UTC. */
  placedAt: z.string(),
});
export type Order = z.infer<typeof Order>;

export const Orders = z.array(Order);
