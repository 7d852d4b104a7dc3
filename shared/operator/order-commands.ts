import { Unavailable } from '../aws/retries.ts';
import type { Order, OrderStatus } from '../orders/order.ts';
import { OrderChanged, OrderIdTaken, type OrderStore } from '../orders/order-store.ts';
import type { PetStatus } from '../pets/pet.ts';
import { PetNotAsExpected, type PetStatusChanges } from '../pets/pet-store.ts';
import { MAX_ID_DRAWS, timeIds } from '../time-id.ts';
import { type Change, CommandError, type CommandTable, conflict } from './command.ts';
import type { OrderView } from './contract.ts';

interface OrderCommandParts {
  readonly orders: OrderStore;
  readonly pets: PetStatusChanges;
  readonly now?: () => number;
}

/** What operators do with orders. The statuses of an order and of its pet change in one transaction. */
export function orderCommands({ orders, pets, now = Date.now }: OrderCommandParts): CommandTable<'orders'> {
  const nextId = timeIds(1, now);

  const requireOrder = async (id: number) => {
    const order = await orders.find(BigInt(id));
    if (order) return order;
    throw new CommandError('not_found', `Order ${id} doesn't exist.`, 'order_unknown');
  };

  const requireStatus = (order: Order, ...allowed: OrderStatus[]) => {
    if (allowed.includes(order.status)) return;
    const message = `Order ${order.id} is ${order.status}, not ${allowed.join(' or ')}.`;
    throw new CommandError('conflict', message, 'order_status');
  };

  const petChange = (order: Order, from: PetStatus, to: PetStatus) =>
    pets.statusChange(order.petId, from, to);

  return {
    'orders.list': {
      async run({ status, before, limit }) {
        const filter = { status, before: before === undefined ? undefined : BigInt(before) };
        // One more than the limit shows whether there is another page.
        const newest = await orders.newest(filter, limit + 1);
        return { orders: newest.slice(0, limit).map(viewOf), hasMore: newest.length > limit };
      },
    },

    'orders.place': {
      async run({ petId }, change) {
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
      },
    },

    'orders.approve': {
      async run({ id }, change) {
        const order = await requireOrder(id);
        requireStatus(order, 'placed');
        return commit(change, [orders.statusChange(order, 'approved')], { ...order, status: 'approved' });
      },
    },

    'orders.deliver': {
      async run({ id }, change) {
        const order = await requireOrder(id);
        requireStatus(order, 'approved');
        const writes = [orders.statusChange(order, 'delivered'), petChange(order, 'pending', 'sold')];
        return commit(change, writes, { ...order, status: 'delivered' });
      },
    },

    'orders.cancel': {
      async run({ id }, change) {
        const order = await requireOrder(id);
        requireStatus(order, 'placed', 'approved');
        return commit(change, [orders.removal(order), petChange(order, 'pending', 'available')], order);
      },
    },
  };
}

function viewOf(order: Order): OrderView {
  return { ...order, id: Number(order.id), petId: Number(order.petId) };
}

async function commit(
  change: Change,
  writes: Parameters<Change['commit']>[0],
  order: Order,
): Promise<OrderView> {
  const view = viewOf(order);
  try {
    await change.commit(writes, view);
  } catch (error) {
    throw explainRefusal(error);
  }
  return view;
}

/** Says in the operator's words why the transaction was refused; any other error is returned unchanged. */
function explainRefusal(error: unknown): unknown {
  if (error instanceof OrderChanged) return conflict(error, 'changed_meanwhile');
  if (!(error instanceof PetNotAsExpected)) return error;
  return error.isUnknown
    ? new CommandError('not_found', error.message, 'pet_unknown', { cause: error })
    : conflict(error, 'pet_status');
}
