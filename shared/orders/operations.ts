import * as z from 'zod/mini';
import type { OperationDeclaration } from '../operation-declaration.ts';
import { Cursor, Limit } from '../paging.ts';
import { OrderStatus } from './order.ts';

export const listOrders = {
  name: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  scope: 'orders:read',
  stability: 'experimental',
  request: z.object({
    query: z.object({ limit: Limit, status: z.optional(OrderStatus), cursor: Cursor }),
  }),
  success: 200,
  errors: ['invalid_request', 'invalid_cursor'],
} as const satisfies OperationDeclaration;

export const ORDER_OPERATIONS = [listOrders] as const;
