import { required } from '../../shared/environment.ts';
import { operation } from '../../shared/http/operation.ts';
import { pagedList } from '../../shared/http/paged-list.ts';
import { ListOrders } from '../../shared/orders/order.ts';
import { orderList } from '../../shared/orders/order-list.ts';

const orders = orderList(required('ORDERS_TABLE'));

/** GET /store/orders (listOrders, experimental): a page of orders, as listPets gives animals. */
export const handler = operation(ListOrders, 'orders:read').handler(
  pagedList('listOrders', required('CURSOR_SECRET'), orders.list),
);
