import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Random } from '../../../infra/local/virtual/random.ts';
import type { CommandName } from '../../../shared/operator/contract.ts';
import type { PetEntry } from '../ledger/pet-ledger.ts';
import type { StageContext } from '../stage-context.ts';

/** Pets that an order was placed for, so that two operators share one only on purpose. */
const taken = new Set<string>();

/** Places, approves, delivers and cancels orders until the run is over. */
export async function keepOrders(context: StageContext, random: Random): Promise<void> {
  const { stage, operator, pets, orders, now, tally, violations } = context;

  while (!context.isOver()) {
    const pet = freePet();
    if (pet?.id === undefined) {
      await delay(200);
      continue;
    }
    taken.add(pet.id);
    const order = await place(pet.id);
    if (order !== undefined) await goOn(order, pet.id);
    await delay(random.between(0, 300));
  }

  /** A pet that was acknowledged as available and that nobody has ordered. */
  function freePet(): PetEntry | undefined {
    const { acknowledged } = pets;
    for (let tries = 0; tries < 20 && acknowledged.length > 0; tries += 1) {
      const pet = random.pick(acknowledged);
      const isAvailable = pet.statuses.length === 1 && pet.statuses[0]?.status === 'available';
      if (isAvailable && !taken.has(pet.id ?? '')) return pet;
    }
    return undefined;
  }

  /** Places an order, by one request, by one that is delivered twice at once, or by two that compete. */
  async function place(id: string): Promise<string | undefined> {
    pets.statusRequested(id, 'pending', now());
    const requestId = randomUUID();
    const way = random.pick(['once', 'once', 'twice', 'rivals'] as const);
    const requestIds = {
      once: [requestId],
      twice: [requestId, requestId],
      rivals: [requestId, randomUUID()],
    }[way];
    const replies = await Promise.all(
      requestIds.map(each => operator.insist('orders.place', { petId: Number(id) }, each)),
    );
    pets.statusKnown(id, 'pending', now());
    const placed = replies.filter(reply => reply.ok);
    for (const reply of placed) {
      const { id: orderId, petId, status } = reply.result;
      orders.placed(reply.requestId, id, { id: String(orderId), petId: String(petId), status });
      tally.count('orders placed');
    }
    const expected = way === 'twice' ? 2 : 1;
    if (placed.length !== expected) {
      const responses = replies
        .map(reply => (reply.ok ? `order ${reply.result.id}` : reply.error.message))
        .join(' / ');
      const kind = placed.length < expected ? 'false conflict' : 'doubled';
      violations.add(kind, `orders.place (${way}) for the pet ${id} of ${stage} returned ${responses}`);
    }
    const [first] = placed;
    return first && String(first.result.id);
  }

  async function goOn(id: string, petId: string): Promise<void> {
    const way = random.pick(['leave', 'approve', 'deliver', 'cancel', 'cancel late'] as const);
    if (way === 'leave') return;
    if (way === 'cancel') return step('orders.cancel', id, 'gone', petId, 'available');
    await step('orders.approve', id, 'approved', petId, undefined);
    if (way === 'deliver') return step('orders.deliver', id, 'delivered', petId, 'sold');
    if (way === 'cancel late') return step('orders.cancel', id, 'gone', petId, 'available');
  }

  /** A change that nobody competes for, so that it must be carried out. */
  async function step(
    command: Extract<CommandName, 'orders.approve' | 'orders.deliver' | 'orders.cancel'>,
    id: string,
    orderStatus: string,
    petId: string,
    petStatus: string | undefined,
  ): Promise<void> {
    orders.requested(id, orderStatus);
    if (petStatus) pets.statusRequested(petId, petStatus, now());
    const reply = await operator.insist(command, { id: Number(id) });
    if (!reply.ok) {
      violations.add('false conflict', `${command} ${id} of ${stage} returned ${reply.error.message}`);
      return;
    }
    orders.known(id, orderStatus);
    if (petStatus) pets.statusKnown(petId, petStatus, now());
    tally.count(`orders ${orderStatus === 'gone' ? 'cancelled' : orderStatus}`);
  }
}
