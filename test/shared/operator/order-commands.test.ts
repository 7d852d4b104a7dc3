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

/** An order and its animal, moved on by these commands. */
async function ordered(...commands: string[]): Promise<{ id: number; petId: number }> {
  const petId = await newPet();
  const { id } = await world.done('orders.place', { petId });
  for (const command of commands) {
    world.clock.nowMs += 1;
    await world.done(command, { id });
  }
  return { id, petId };
}

/** What the tables say of both; undefined is what is not there. */
async function statuses({ id, petId }: { id: number; petId: number }) {
  const [order, pet] = [await world.orders.find(BigInt(id)), await world.pets.find(BigInt(petId))];
  return [order?.status, pet?.status];
}

const changes = async () => (await world.audit.list(500)).map(({ command }) => command);

describe('orders.place', () => {
  beforeEach(newWorld);

  test('records an order; the animal is pending, and listed as such', async () => {
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

  test('eight operators at once for one animal: one wins, the others are told', async () => {
    const petId = await newPet();
    const replies = await Promise.all(Array.from({ length: 8 }, () => world.ask('orders.place', { petId })));
    const { elements } = await world.orders.list({ limit: 10 });
    expect(elements).toHaveLength(1);
    expect(replies.filter(({ ok }) => ok)).toMatchObject([
      { result: { id: Number(elements[0]?.id), petId } },
    ]);
    const told = refusal('conflict', `The animal ${petId} is pending, not available.`);
    expect(replies.filter(({ ok }) => !ok)).toEqual(Array(7).fill(told));
    expect(await changes()).toEqual(['orders.place']);
  });

  test('orders of one instant have ids of their own, in the order of placing', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 5; count += 1) ids.push((await ordered()).id);
    expect((await world.orders.list({ limit: 10 })).elements.map(({ id }) => Number(id))).toEqual(ids);
  });

  test('an id that another order has, placed in the same instant, is drawn again', async () => {
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

  test.each(['pending', 'sold'] as const)('conflict: an animal that is %s', async status => {
    const petId = await newPet(status);
    const told = refusal('conflict', `The animal ${petId} is ${status}, not available.`);
    expect(await world.ask('orders.place', { petId })).toEqual(told);
    expect([await world.orders.list({ limit: 1 }), await changes()]).toMatchObject([{ elements: [] }, []]);
  });

  test('not_found: an animal that is not there', async () => {
    const told = refusal('not_found', 'There is no animal 12.');
    expect(await world.ask('orders.place', { petId: 12 })).toEqual(told);
    expect((await world.orders.list({ limit: 1 })).elements).toEqual([]);
  });
});

describe('the way of an order', () => {
  beforeEach(newWorld);

  test.each<[string, string[], OrderStatus | undefined, PetStatus]>([
    ['approved', ['orders.approve'], 'approved', 'pending'],
    ['delivered, and its animal sold', ['orders.approve', 'orders.deliver'], 'delivered', 'sold'],
    ['cancelled, and its animal available', ['orders.cancel'], undefined, 'available'],
    ['cancelled after approval', ['orders.approve', 'orders.cancel'], undefined, 'available'],
  ])('%s', async (_, commands, orderStatus, petStatus) => {
    const order = await ordered(...commands);
    expect(await statuses(order)).toEqual([orderStatus, petStatus]);
    const { elements } = await world.pets.list({ limit: 5, status: petStatus });
    expect(elements.map(({ id }) => Number(id))).toEqual([order.petId]);
    expect((await changes()).toReversed()).toEqual(['orders.place', ...commands]);
  });

  test('after a cancellation the animal can be ordered again', async () => {
    const { petId } = await ordered('orders.cancel');
    expect(await world.ask('orders.place', { petId })).toMatchObject({ ok: true });
  });

  test.each([
    ['orders.deliver', [], 'is placed, not approved'],
    ['orders.approve', ['orders.approve'], 'is approved, not placed'],
    ['orders.approve', ['orders.approve', 'orders.deliver'], 'is delivered, not placed'],
    ['orders.deliver', ['orders.approve', 'orders.deliver'], 'is delivered, not approved'],
    ['orders.cancel', ['orders.approve', 'orders.deliver'], 'is delivered, not placed or approved'],
  ])('conflict: %s after %j, and nothing moves', async (command, before, message) => {
    const order = await ordered(...before);
    const [statusesBefore, changesBefore] = [await statuses(order), await changes()];
    expect(await world.ask(command, { id: order.id })).toEqual(
      refusal('conflict', `The order ${order.id} ${message}.`),
    );
    expect([await statuses(order), await changes()]).toEqual([statusesBefore, changesBefore]);
  });

  test.each(['orders.approve', 'orders.deliver', 'orders.cancel'])('not_found: %s', async command => {
    const { id } = await ordered('orders.cancel');
    for (const unknown of [id, 1]) {
      const told = refusal('not_found', `There is no order ${unknown}.`);
      expect(await world.ask(command, { id: unknown })).toEqual(told);
    }
  });

  test('approved and cancelled by several at once: each change once, order and animal together', async () => {
    const order = await ordered();
    const commands = ['orders.approve', 'orders.cancel', 'orders.approve', 'orders.cancel'];
    const replies = await Promise.all(commands.map(command => world.ask(command, { id: order.id })));
    const made = (await changes()).filter(command => command !== 'orders.place');
    expect(replies.filter(({ ok }) => ok)).toHaveLength(made.length);
    expect(new Set(made).size).toBe(made.length);
    for (const reply of replies) {
      if (!reply.ok) expect(['conflict', 'not_found']).toContain(reply.error.code);
    }
    const isCancelled = made.includes('orders.cancel');
    expect(await statuses(order)).toEqual(isCancelled ? [undefined, 'available'] : ['approved', 'pending']);
  });

  test.each(['orders.deliver', 'orders.cancel'])(
    'conflict: %s when the animal is not as it should be; the order stays too',
    async command => {
      const order = await ordered('orders.approve');
      await transact([world.petStatus.statusChange(BigInt(order.petId), 'pending', 'sold')]);
      const told = refusal('conflict', `The animal ${order.petId} is sold, not pending.`);
      expect(await world.ask(command, { id: order.id })).toEqual(told);
      expect(await statuses(order)).toEqual(['approved', 'sold']);
    },
  );
});

test('the same request again moves nothing twice', async () => {
  await newWorld();
  const petId = await newPet();
  const place = { requestId: 'r1', petId };
  const order = await world.done('orders.place', place);
  expect(await world.ask('orders.place', place)).toEqual({ ok: true, replayed: true, result: order });
  const approve = { requestId: 'r2', id: order.id };
  await world.done('orders.approve', approve);
  expect(await world.ask('orders.approve', approve)).toMatchObject({ replayed: true });
  // The same delivery as before, though the animal is no longer available.
  expect(await world.ask('orders.place', place)).toEqual({ ok: true, replayed: true, result: order });
  expect((await world.orders.list({ limit: 5 })).elements).toHaveLength(1);
});

describe('invalid_request', () => {
  beforeAll(newWorld);

  const ID = 'must be the id of an order or an animal';
  test.each([
    [{}, 'id is required'],
    [{ id: 0 }, `id ${ID}`],
    [{ id: -1 }, `id ${ID}`],
    [{ id: 1.5 }, `id ${ID}`],
    [{ id: '1' }, `id ${ID}`],
    [{ id: 2 ** 53 }, `id ${ID}`],
    [{ petId: 1 }, 'id is required; petId not known here; the command takes id'],
  ])('%j', async (fields, message) => {
    for (const command of ['orders.approve', 'orders.deliver', 'orders.cancel']) {
      expect(await world.ask(command, fields)).toEqual(refusal('invalid_request', message));
    }
  });
});
