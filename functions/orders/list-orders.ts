import { required } from '../../shared/environment.ts';
import { operation } from '../../shared/http/operation.ts';
import { pagedList } from '../../shared/http/paged-list.ts';
import { listOrders } from '../../shared/orders/operations.ts';
import { orderStore } from '../../shared/orders/order-store.ts';

const orders = orderStore(required('ORDERS_TABLE'));

/** GET /store/orders (listOrders, experimental): a page of orders, with a Link header to the next page. */
export const handler = operation(listOrders).handler(
  pagedList(listOrders, required('CURSOR_SECRET'), orders.list),
);
