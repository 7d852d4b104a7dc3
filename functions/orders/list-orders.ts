import { required } from '../../shared/environment.ts';
import { operation } from '../../shared/http/operation.ts';
import { pagedList } from '../../shared/http/paged-list.ts';
import { listOrders } from '../../shared/orders/operations.ts';
import { orderList } from '../../shared/orders/order-list.ts';

const orders = orderList(required('ORDERS_TABLE'));

/** GET /store/orders (listOrders, experimental): a page of orders, with a Link header to the next page. */
export const handler = operation(listOrders).handler(
  pagedList(listOrders.name, required('CURSOR_SECRET'), orders.list),
);
