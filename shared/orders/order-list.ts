import { type AttributeValue, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../aws/dynamodb.ts';
import { idRange, readItems } from '../aws/item-pages.ts';
import type { Page, PageRequest } from '../paging.ts';
import { ORDERS_TABLE, type Order, type OrderStatus, Orders } from './order.ts';

/** The API clients' side of the orders; the operators' side is order-store.ts. */
export interface OrderList {
  /** A page in ascending order of id. */
  list(request: PageRequest<OrderStatus>): Promise<Page<Order>>;
}

/** The list is an HTTP operation, so it uses the bare client (dynamodb.ts says what that saves). */
export function orderList(tableName: string): OrderList {
  return {
    async list({ limit, status, after }) {
      const query = { TableName: tableName, ...(status ? byStatus(status, after) : byId(after)) };
      // One more than the limit shows whether another page follows.
      const items = await readItems(
        start => dynamoDb.send(new QueryCommand({ ...query, ...start })),
        limit + 1,
      );
      const orders = Orders.parse(items.map(orderFields));
      return { elements: orders.slice(0, limit), hasMore: orders.length > limit };
    },
  };
}

function byId(after: bigint | undefined) {
  return idRange(ORDERS_TABLE.partitionKey, { S: ORDERS_TABLE.partition }, after);
}

function byStatus(status: OrderStatus, after: bigint | undefined) {
  const { name, partitionKey } = ORDERS_TABLE.statusIndex;
  return { IndexName: name, ...idRange(partitionKey, { S: status }, after) };
}

function orderFields({ id, petId, status, placedAt }: Record<string, AttributeValue>) {
  return { id: exactInteger(id), petId: exactInteger(petId), status: status?.S, placedAt: placedAt?.S };
}

function exactInteger(attribute: AttributeValue | undefined): bigint | undefined {
  return attribute?.N === undefined ? undefined : BigInt(attribute.N);
}
