import * as z from 'zod/mini';
import { Unavailable } from '../aws/unavailable.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import { OrderIdTaken, OrderMoved, type OrderStore } from '../orders/order-store.ts';
import type { PetStatus } from '../pets/pet.ts';
import { MAX_ID_DRAWS, petIds } from '../pets/pet-id.ts';
import { PetNotAsExpected, type PetStatusChanges } from '../pets/pet-status.ts';
import { type Change, type Command, CommandError, command } from './command.ts';

/** Ids that this service assigns stay below 2^53, so a JSON number holds them exactly. */
const Id = z
  .int('must be the id of an order or an animal')
  .check(z.gte(1, 'must be the id of an order or an animal'));

export interface OrderCommandParts {
  readonly orders: OrderStore;
  readonly pets: PetStatusChanges;
  readonly now?: () => number;
}

/** What operators do with orders. An order and its animal move together or not at all. */
export function orderCommands({ orders, pets, now = Date.now }: OrderCommandParts): Record<string, Command> {
  const nextId = petIds(1, now);

  const requireOrder = async (id: number) => {
    const order = await orders.find(BigInt(id));
    if (!order) throw new CommandError('not_found', `There is no order ${id}.`);
    return order;
  };

  /** Moves an order that has one of these statuses. Which other writes go with it, the caller says. */
  const requireStatus = (order: Order, ...allowed: OrderStatus[]) => {
    if (allowed.includes(order.status)) return;
    throw new CommandError(
      'conflict',
      `The order ${order.id} is ${order.status}, not ${allowed.join(' or ')}.`,
    );
  };

  const petChange = (order: Order, from: PetStatus, to: PetStatus) =>
    pets.statusChange(order.petId, from, to);

  return {
    'orders.place': command(z.strictObject({ petId: Id }), async ({ petId }, change) => {
      const placedAt = new Date(now()).toISOString();
      for (let draw = 0; draw < MAX_ID_DRAWS; draw += 1) {
        const order: Order = { id: nextId(), petId: BigInt(petId), status: 'placed', placedAt };
        try {
          const writes = [orders.addition(order), petChange(order, 'available', 'pending')];
          return await commit(change, writes, order);
        } catch (error) {
          if (!(error instanceof OrderIdTaken)) throw error;
        }
      }
      throw new Unavailable(`Each of ${MAX_ID_DRAWS} ids drawn was taken.`);
    }),

    'orders.approve': command(z.strictObject({ id: Id }), async ({ id }, change) => {
      const order = await requireOrder(id);
      requireStatus(order, 'placed');
      return commit(change, [orders.statusChange(order, 'approved')], { ...order, status: 'approved' });
    }),

    'orders.deliver': command(z.strictObject({ id: Id }), async ({ id }, change) => {
      const order = await requireOrder(id);
      requireStatus(order, 'approved');
      const writes = [orders.statusChange(order, 'delivered'), petChange(order, 'pending', 'sold')];
      return commit(change, writes, { ...order, status: 'delivered' });
    }),

    'orders.cancel': command(z.strictObject({ id: Id }), async ({ id }, change) => {
      const order = await requireOrder(id);
      requireStatus(order, 'placed', 'approved');
      return commit(change, [orders.removal(order), petChange(order, 'pending', 'available')], order);
    }),
  };
}

type OrderView = Omit<Order, 'id' | 'petId'> & { id: number; petId: number };

async function commit(
  change: Change,
  writes: Parameters<Change['commit']>[0],
  order: Order,
): Promise<OrderView> {
  const view = { ...order, id: Number(order.id), petId: Number(order.petId) };
  try {
    await change.commit(writes, view);
  } catch (error) {
    if (!(error instanceof OrderMoved) && !(error instanceof PetNotAsExpected)) throw error;
    throw new CommandError(
      error instanceof PetNotAsExpected && error.isUnknown ? 'not_found' : 'conflict',
      error.message,
      { cause: error },
    );
  }
  return view;
}
