import { randomUUID } from 'node:crypto';
import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { idRange, readItems } from '../aws/item-pages.ts';
import type { Write } from '../aws/transaction.ts';
import type { FilterOf, Page, PageRequest } from '../paging.ts';
import type { listOrders } from './operations.ts';
import { ORDERS_TABLE, type Order, type OrderStatus, STORED_ORDER } from './order.ts';

type OrderFilter = FilterOf<typeof listOrders>;

/** The orders, in the table whose layout is in order.ts. */
export interface OrderStore {
  find(id: bigint): Promise<Order | undefined>;
  /** A page in ascending order of id. */
  list(request: PageRequest<OrderFilter>): Promise<Page<Order>>;
  /** The orders, of one status or all, newest first, starting before this id. */
  newest(filter: OrderFilter & { before?: bigint | undefined }, limit: number): Promise<Order[]>;
  /** The write that adds an order; refused with OrderIdTaken. */
  addition(order: Order): Write;
  /** The write that gives an order its next status; refused with OrderChanged if its status isn't the one that was read. */
  statusChange(order: Order, to: OrderStatus): Write;
  /** The write that deletes an order; refused with OrderChanged under the same condition. */
  removal(order: Order): Write;
}

/** The order's status isn't the one that was read, or the order is gone. */
export class OrderChanged extends Error {
  override readonly name = 'OrderChanged';
}

/** Another order was placed in the same millisecond and drew the same id. */
export class OrderIdTaken extends Error {
  override readonly name = 'OrderIdTaken';
}

/** Rejects stale writers: the condition compares the status that was read. */
const HAS_STATUS_READ = {
  ConditionExpression: '#status = :read',
  ExpressionAttributeNames: { '#status': 'status' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

/** Clients list orders through an HTTP operation, so it reads with the bare client (dynamodb.ts says what that saves). */
export function orderStore(tableName: string): OrderStore {
  const changed = ({ id }: Order) => new OrderChanged(`The order ${id} was changed by someone else.`);

  async function read(status: OrderStatus | undefined, range: Parameters<typeof idRange>[2], count: number) {
    const { partitionKey, partition, statusIndex } = ORDERS_TABLE;
    const query = {
      TableName: tableName,
      ...(status
        ? { IndexName: statusIndex.name, ...idRange(statusIndex.partitionKey, { S: status }, range) }
        : idRange(partitionKey, { S: partition }, range)),
      ScanIndexForward: 'after' in range,
    };
    const items = await readItems(start => dynamoDb.send(new QueryCommand({ ...query, ...start })), count);
    return items.map(STORED_ORDER.fromItem);
  }

  return {
    async find(id) {
      const { partitionKey, partition, sortKey } = ORDERS_TABLE;
      const Key = { [partitionKey]: { S: partition }, [sortKey]: { N: String(id) } };
      const get = new GetItemCommand({ TableName: tableName, Key, ConsistentRead: true });
      const { Item } = await orUnavailable(dynamoDb.send(get));
      return Item && STORED_ORDER.fromItem(Item);
    },

    async list({ limit, status, after }) {
      // One more than the limit shows whether another page follows.
      const orders = await read(status, { after }, limit + 1);
      return { elements: orders.slice(0, limit), hasMore: orders.length > limit };
    },

    newest: ({ status, before }, limit) => read(status, { before }, limit),

    addition(order) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...keyOf(order.id), ...order, writeToken },
            ConditionExpression: 'attribute_not_exists(id)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present =>
          present?.writeToken === writeToken ? undefined : new OrderIdTaken(`The id ${order.id} is taken.`),
      };
    },

    statusChange: (order, to) => ({
      item: {
        Update: {
          TableName: tableName,
          Key: keyOf(order.id),
          UpdateExpression: 'SET #status = :to',
          ExpressionAttributeValues: { ':read': order.status, ':to': to },
          ...HAS_STATUS_READ,
        },
      },
      refusal: () => changed(order),
    }),

    removal: order => ({
      item: {
        Delete: {
          TableName: tableName,
          Key: keyOf(order.id),
          ExpressionAttributeValues: { ':read': order.status },
          ...HAS_STATUS_READ,
        },
      },
      refusal: () => changed(order),
    }),
  };
}

function keyOf(id: bigint) {
  return { [ORDERS_TABLE.partitionKey]: ORDERS_TABLE.partition, [ORDERS_TABLE.sortKey]: id };
}
