import { randomUUID } from 'node:crypto';
import { findItem, type Item, queryItems } from '../aws/document-client.ts';
import type { Write } from '../aws/transaction.ts';
import { ORDERS_TABLE, Order, type OrderStatus } from './order.ts';

/** The operators' side of the orders, in the table whose layout is in order.ts. */
export interface OrderStore {
  find(id: bigint): Promise<Order | undefined>;
  /** The orders of a status or of all, the newest first, from the one before this id on. */
  newest(
    filter: { status?: OrderStatus | undefined; before?: bigint | undefined },
    limit: number,
  ): Promise<Order[]>;
  /** The write that adds an order; refused with OrderIdTaken. */
  addition(order: Order): Write;
  /** The write that gives an order its next status; refused with OrderChanged when it has another than was read. */
  statusChange(order: Order, to: OrderStatus): Write;
  /** The write that deletes an order; refused with OrderChanged likewise. */
  removal(order: Order): Write;
}

/** The order has another status than the one that was read, or is gone. */
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

export function orderStore(tableName: string): OrderStore {
  const changed = ({ id }: Order) => new OrderChanged(`The order ${id} was changed by someone else.`);

  return {
    async find(id) {
      const item = await findItem(tableName, keyOf(id));
      return item && orderFromItem(item);
    },

    async newest({ status, before }, limit) {
      const { partitionKey, partition, sortKey, statusIndex } = ORDERS_TABLE;
      const items = await queryItems(
        {
          TableName: tableName,
          ...(status && { IndexName: statusIndex.name }),
          KeyConditionExpression: `#list = :list${before === undefined ? '' : ' AND #id < :before'}`,
          ExpressionAttributeNames: {
            '#list': status ? statusIndex.partitionKey : partitionKey,
            ...(before !== undefined && { '#id': sortKey }),
          },
          ExpressionAttributeValues: {
            ':list': status ?? partition,
            ...(before !== undefined && { ':before': before }),
          },
          ScanIndexForward: false,
        },
        limit,
      );
      return items.map(orderFromItem);
    },

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

/** The document client gives an int64 as a number up to 2^53 and as a bigint beyond; an Order has bigints only. */
function orderFromItem({ id, petId, ...fields }: Item): Order {
  return Order.parse({
    ...fields,
    id: BigInt(id as number | bigint),
    petId: BigInt(petId as number | bigint),
  });
}
