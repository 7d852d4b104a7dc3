import { listOrders } from '../../shared/orders/operations.ts';
import { Order, OrderStatus, Orders } from '../../shared/orders/order.ts';
import { describeSchema } from './describe-schema.ts';
import type { OperationTexts } from './operation-object.ts';
import { EXAMPLE_PET } from './pets.ts';

const EXAMPLE_ORDER = {
  id: 473478446710785,
  petId: EXAMPLE_PET.id,
  status: 'placed',
  placedAt: '2026-11-01T09:30:00.000Z',
} as const;

describeSchema(OrderStatus, { id: 'OrderStatus', description: 'Status of an order.' });
describeSchema(Order, { id: 'Order', description: 'An order for one animal.' });
describeSchema(Order.shape.id, {
  description: 'Unique identifier of the order.',
  examples: [EXAMPLE_ORDER.id],
});
describeSchema(Order.shape.petId, {
  description: 'Identifier of the animal that was ordered.',
  examples: [EXAMPLE_ORDER.petId],
});
describeSchema(Order.shape.placedAt, {
  description: 'When the order was placed (RFC 3339, UTC).',
  examples: [EXAMPLE_ORDER.placedAt],
  override: { format: 'date-time' },
});
describeSchema(Orders, {
  id: 'Orders',
  title: 'Page of orders',
  description: 'A page of orders, sorted by ascending `id`.',
});

describeSchema(listOrders.request.shape.query.shape.status, {
  description: 'Return only orders with this status.',
});

export const ORDER_TEXTS = {
  listOrders: {
    summary: 'List orders',
    description:
      "Returns a page of the orders that the store's operators have recorded, sorted by ascending `id`. The `Link` header has the URL of the next page.",
    hasTryOut: false,
    client: 'orders.list({ limit: 20 })',
    success: {
      description: 'A page of orders.',
      headers: { Link: 'NextPage' },
      content: { schema: Orders, examples: { page: { summary: 'One order', value: [EXAMPLE_ORDER] } } },
    },
  },
} satisfies Readonly<Record<string, OperationTexts>>;
