import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../shared/aws/transaction.ts';
import type { OrderStatus } from '../../../shared/orders/order.ts';
import type { PetStatus } from '../../../shared/pets/pet.ts';
import { rex } from '../pets/stored-pets.ts';
import { type Operating, operating, refusal } from './operating.ts';

let world: Operating;
const newWorld = async () => {
  world = await operating();
};

async function newPet(status: PetStatus = 'available'): Promise<number> {
  return Number((await world.pets.add({ ...rex, status })).id);
}

/** Places an order of a new animal and carries out these commands on it. */
async function ordered(...commands: string[]): Promise<{ id: number; petId: number }> {
  const petId = await newPet();
  const { id } = await world.done('orders.place', { petId });
  for (const command of commands) {
    world.clock.nowMs += 1;
    await world.done(command, { id });
  }
  return { id, petId };
}

/** The statuses of both in the tables; undefined for what is not there. */
async function statuses({ id, petId }: { id: number; petId: number }) {
  const [order, pet] = [await world.orders.find(BigInt(id)), await world.pets.find(BigInt(petId))];
  return [order?.status, pet?.status];
}

const changes = async () => (await world.audit.list(500)).map(({ command }) => command);

describe('orders.list', () => {
  beforeAll(newWorld);

  test('gives the newest orders first, by pages, all or those of a status', async () => {
    expect(await world.done('orders.list', {})).toEqual({ orders: [], hasMore: false });
    const oldest = await ordered();
    const approved = await ordered('orders.approve');
    const newest = await ordered();
    const listed = async (input: object) => {
      const { orders, hasMore } = await world.done('orders.list', input);
      return [orders.map(({ id }: { id: number }) => id), hasMore];
    };
    expect(await listed({})).toEqual([[newest.id, approved.id, oldest.id], false]);
    expect(await listed({ limit: 2 })).toEqual([[newest.id, approved.id], true]);
    expect(await listed({ limit: 2, before: approved.id })).toEqual([[oldest.id], false]);
    expect(await listed({ status: 'placed', limit: 1 })).toEqual([[newest.id], true]);
    expect(await listed({ status: 'placed', before: newest.id })).toEqual([[oldest.id], false]);
    expect((await world.done('orders.list', { status: 'approved' })).orders).toEqual([
      { ...approved, status: 'approved', placedAt: '2026-01-31T12:00:00.000Z' },
    ]);
  });

  test.each([
    [{ limit: 5001 }, 'limit must be from 1 to 5000'],
    [{ status: 'lost' }, 'status must be one of placed, approved, delivered'],
    [{ before: 1.5 }, 'before must be the ID of an order or a pet'],
  ])('refuses %j', async (input, message) => {
    expect(await world.ask('orders.list', input)).toEqual(
      refusal('invalid_request', expect.stringContaining(message)),
    );
  });
});

describe('orders.place', () => {
  beforeEach(newWorld);

  test('records an order; the pet becomes pending and is listed as pending', async () => {
    const petId = await newPet();
    const order = await world.done('orders.place', { petId });
    expect(order).toEqual({
      id: expect.any(Number),
      petId,
      status: 'placed',
      placedAt: '2026-01-31T12:00:00.000Z',
    });
    expect(Number.isSafeInteger(order.id)).toBe(true);
    expect(await statuses(order)).toEqual(['placed', 'pending']);
    const { elements } = await world.pets.list({ limit: 5, status: 'pending' });
    expect(elements.map(pet => Number(pet.id))).toEqual([petId]);
    expect((await world.pets.list({ limit: 5, status: 'available' })).elements).toEqual([]);
  });

  test('records one order when eight operators order one pet at once, and refuses the others', async () => {
    const petId = await newPet();
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.ask('orders.place', { petId })));
    const { elements } = await world.orders.list({ limit: 10 });
    expect(elements).toHaveLength(1);
    expect(replies.filter(({ ok }) => ok)).toMatchObject([
      { result: { id: Number(elements[0]?.id), petId } },
    ]);
    const refused = refusal('conflict', `Pet ${petId} is pending, not available.`, 'pet_status');
    expect(replies.filter(({ ok }) => !ok)).toEqual(Array(7).fill(refused));
    expect(await changes()).toEqual(['orders.place']);
  });

  test('draws another id when the first one is taken', async () => {
    const petId = await newPet();
    const epochMs = Date.UTC(2025, 0, 1);
    const ids = Array.from(
      { length: 512 },
      (_, draw) => BigInt(world.clock.nowMs - epochMs) * 8192n + BigInt(draw) * 16n,
    );
    const taken = ids.map(id =>
      world.orders.addition({ id, petId: 1n, status: 'placed', placedAt: '2026-01-31T12:00:00.000Z' }),
    );
    for (let start = 0; start < taken.length; start += 100) await transact(taken.slice(start, start + 100));
    const order = await world.done('orders.place', { petId });
    expect(BigInt(order.id)).toBeGreaterThan(ids.at(-1) ?? 0n);
    expect(await statuses(order)).toEqual(['placed', 'pending']);
    expect((await world.orders.list({ limit: 100, after: ids[450] })).elements).toHaveLength(62);
    expect(await changes()).toEqual(['orders.place']);
  });

  test.each(['pending', 'sold'] as const)('refuses a pet that is %s: conflict', async status => {
    const petId = await newPet(status);
    const refused = refusal('conflict', `Pet ${petId} is ${status}, not available.`, 'pet_status');
    expect(await world.ask('orders.place', { petId })).toEqual(refused);
    expect([await world.orders.list({ limit: 1 }), await changes()]).toMatchObject([{ elements: [] }, []]);
  });

  test('refuses an unknown pet: not_found', async () => {
    const refused = refusal('not_found', "Pet 12 doesn't exist.", 'pet_unknown');
    expect(await world.ask('orders.place', { petId: 12 })).toEqual(refused);
    expect((await world.orders.list({ limit: 1 })).elements).toEqual([]);
  });
});

describe('an order', () => {
  beforeEach(newWorld);

  test.each<[string, string[], OrderStatus | undefined, PetStatus]>([
    ['is approved', ['orders.approve'], 'approved', 'pending'],
    ['is delivered, and its pet is sold', ['orders.approve', 'orders.deliver'], 'delivered', 'sold'],
    ['is canceled, and its pet is available', ['orders.cancel'], undefined, 'available'],
    ['is canceled after its approval', ['orders.approve', 'orders.cancel'], undefined, 'available'],
  ])('%s', async (_, commands, orderStatus, petStatus) => {
    const order = await ordered(...commands);
    expect(await statuses(order)).toEqual([orderStatus, petStatus]);
    const { elements } = await world.pets.list({ limit: 5, status: petStatus });
    expect(elements.map(({ id }) => Number(id))).toEqual([order.petId]);
    expect((await changes()).toReversed()).toEqual(['orders.place', ...commands]);
  });

  test.each([
    ['orders.deliver', [], 'is placed, not approved'],
    ['orders.approve', ['orders.approve'], 'is approved, not placed'],
    ['orders.approve', ['orders.approve', 'orders.deliver'], 'is delivered, not placed'],
    ['orders.deliver', ['orders.approve', 'orders.deliver'], 'is delivered, not approved'],
    ['orders.cancel', ['orders.approve', 'orders.deliver'], 'is delivered, not placed or approved'],
  ])('conflict: %s after %j changes nothing', async (command, before, message) => {
    const order = await ordered(...before);
    const [statusesBefore, changesBefore] = [await statuses(order), await changes()];
    expect(await world.ask(command, { id: order.id })).toEqual(
      refusal('conflict', `Order ${order.id} ${message}.`, 'order_status'),
    );
    expect([await statuses(order), await changes()]).toEqual([statusesBefore, changesBefore]);
  });

  test.each(['orders.approve', 'orders.deliver', 'orders.cancel'])(
    'not_found: %s of an unknown id',
    async command => {
      const { id } = await ordered('orders.cancel');
      for (const unknown of [id, 1]) {
        const refused = refusal('not_found', `Order ${unknown} doesn't exist.`, 'order_unknown');
        expect(await world.ask(command, { id: unknown })).toEqual(refused);
      }
    },
  );

  test('takes each change once, together with its pet, when several operators approve and cancel at once', async () => {
    const order = await ordered();
    const commands = ['orders.approve', 'orders.cancel', 'orders.approve', 'orders.cancel'];
    const replies = await Promise.all(commands.map(command => world.ask(command, { id: order.id })));
    const committed = (await changes()).filter(command => command !== 'orders.place');
    expect(replies.filter(({ ok }) => ok)).toHaveLength(committed.length);
    expect(new Set(committed).size).toBe(committed.length);
    for (const reply of replies) {
      if (!reply.ok)
        expect(['order_status', 'changed_meanwhile', 'order_unknown']).toContain(reply.error.reason);
      if (!reply.ok) expect(['conflict', 'not_found']).toContain(reply.error.code);
    }
    const isCancelled = committed.includes('orders.cancel');
    expect(await statuses(order)).toEqual(isCancelled ? [undefined, 'available'] : ['approved', 'pending']);
  });

  test.each(['orders.deliver', 'orders.cancel'])(
    'conflict: %s changes neither the order nor its pet when the pet has another status',
    async command => {
      const order = await ordered('orders.approve');
      await transact([world.petStatus.statusChange(BigInt(order.petId), 'pending', 'sold')]);
      const refused = refusal('conflict', `Pet ${order.petId} is sold, not pending.`, 'pet_status');
      expect(await world.ask(command, { id: order.id })).toEqual(refused);
      expect(await statuses(order)).toEqual(['approved', 'sold']);
    },
  );
});

describe('a request with invalid fields', () => {
  beforeAll(newWorld);

  const ID = 'must be the ID of an order or a pet';
  test.each([
    [{}, 'id is required'],
    [{ id: 0 }, `id ${ID}`],
    [{ id: -1 }, `id ${ID}`],
    [{ id: 1.5 }, `id ${ID}`],
    [{ id: '1' }, `id ${ID}`],
    [{ id: 2 ** 53 }, `id ${ID}`],
  ])('%j is refused with the names of the fields', async (fields, message) => {
    for (const command of ['orders.approve', 'orders.deliver', 'orders.cancel']) {
      expect(await world.ask(command, fields)).toEqual(refusal('invalid_request', message, 'id_invalid'));
    }
  });
});
