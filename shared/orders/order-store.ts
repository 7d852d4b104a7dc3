import { randomUUID } from 'node:crypto';
import { type AttributeValue, GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { idRange, integer } from '../aws/id-range.ts';
import type { Item, Write } from '../aws/transaction.ts';
import type { Page, PageRequest } from '../paging.ts';
import { Order, type OrderStatus, Orders } from './order.ts';
import { ORDERS_TABLE } from './order-table.ts';

/** The orders, in the table whose layout is in order-table.ts. */
export interface OrderStore {
  find(id: bigint): Promise<Order | undefined>;
  /** A page in ascending order of id. */
  list(request: PageRequest<OrderStatus>): Promise<Page<Order>>;
  /** The write that adds an order; refused with OrderIdTaken. */
  addition(order: Order): Write;
  /** The write that moves an order on; refused with OrderMoved when it is no longer where it was. */
  statusChange(order: Order, to: OrderStatus): Write;
  /** The write that takes an order away; refused with OrderMoved likewise. */
  removal(order: Order): Write;
}

/** Another operator was faster. */
export class OrderMoved extends Error {
  override readonly name = 'OrderMoved';
}

/** Another order was placed in the same millisecond and drew the same id. */
export class OrderIdTaken extends Error {
  override readonly name = 'OrderIdTaken';
}

const LIST = { S: 'orders' };
const IS_WHERE_IT_WAS = {
  ConditionExpression: '#status = :from',
  ExpressionAttributeNames: { '#status': 'status' },
  ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
} as const;

export function orderStore(tableName: string): OrderStore {
  const keyOf = (id: bigint) => ({ list: LIST, id: { N: String(id) } });
  const moved = ({ id }: Order) => new OrderMoved(`The order ${id} was changed by someone else.`);

  return {
    async find(id) {
      const { Item } = await orUnavailable(
        dynamoDb.send(new GetItemCommand({ TableName: tableName, Key: keyOf(id), ConsistentRead: true })),
      );
      return Item && Order.parse(attributeValues(Item));
    },

    async list({ limit, status, after }) {
      const { Items = [] } = await orUnavailable(
        dynamoDb.send(
          new QueryCommand({
            TableName: tableName,
            ...(status ? byStatus(status, after) : idRange(ORDERS_TABLE.partitionKey, LIST, after)),
            // One more than asked for tells whether another page follows.
            Limit: limit + 1,
          }),
        ),
      );
      const orders = Orders.parse(Items.map(attributeValues));
      return { elements: orders.slice(0, limit), hasMore: orders.length > limit };
    },

    addition(order) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...orderItem(order), writeToken: { S: writeToken } },
            ConditionExpression: 'attribute_not_exists(id)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present =>
          present?.writeToken?.S === writeToken
            ? undefined
            : new OrderIdTaken(`The id ${order.id} is taken.`),
      };
    },

    statusChange: (order, to) => ({
      item: {
        Update: {
          TableName: tableName,
          Key: keyOf(order.id),
          UpdateExpression: 'SET #status = :to',
          ExpressionAttributeValues: { ':from': { S: order.status }, ':to': { S: to } },
          ...IS_WHERE_IT_WAS,
        },
      },
      refusal: () => moved(order),
    }),

    removal: order => ({
      item: {
        Delete: {
          TableName: tableName,
          Key: keyOf(order.id),
          ExpressionAttributeValues: { ':from': { S: order.status } },
          ...IS_WHERE_IT_WAS,
        },
      },
      refusal: () => moved(order),
    }),
  };
}

function byStatus(status: OrderStatus, after: bigint | undefined) {
  const { name, partitionKey } = ORDERS_TABLE.statusIndex;
  return { IndexName: name, ...idRange(partitionKey, { S: status }, after) };
}

function orderItem({ id, petId, status, placedAt }: Order): Item {
  return {
    list: LIST,
    id: { N: String(id) },
    petId: { N: String(petId) },
    status: { S: status },
    placedAt: { S: placedAt },
  };
}

function attributeValues({ id, petId, status, placedAt }: Record<string, AttributeValue>) {
  return { id: integer(id), petId: integer(petId), status: status?.S, placedAt: placedAt?.S };
}
