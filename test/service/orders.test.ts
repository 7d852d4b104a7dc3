import { beforeAll, describe, expect, test } from 'vitest';
import { allPets, client, created, expectError, nextPage, pagesFrom } from './http-client.ts';
import { done } from './operator.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

interface Order {
  readonly id: number;
  readonly petId: number;
  readonly status: string;
  readonly placedAt: string;
}

const send = client(() => service.production);
const ask = (command: string, fields: object) => done(service, 'production', command, fields);

describe('GET /store/orders', () => {
  /** 22 orders, a page of the default length and some more; every third approved, two delivered. */
  const orders: Order[] = [];

  beforeAll(async () => {
    const nothing = await send('GET /store/orders');
    expect([nothing.status, nothing.text, nothing.headers.link]).toEqual([200, '[]', undefined]);
    for (let number = 0; number < 22; number += 1) {
      const { id: petId } = await created(send, { name: `Pet ${number}`, categoryId: 1 });
      let order: Order = await ask('orders.place', { petId });
      if (number % 3 === 0) order = await ask('orders.approve', { id: order.id });
      if (number % 12 === 0) order = await ask('orders.deliver', { id: order.id });
      orders.push(order);
    }
  });

  const having = (expected: string) => orders.filter(({ status }) => status === expected);

  test('200: the first 20 in ascending order of id, and a link to the rest', async () => {
    const response = await send('GET /store/orders');
    expect(response.status).toBe(200);
    expect(response.json()).toEqual(orders.slice(0, 20));
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    expect(nextPage(response)).toMatch(`${service.production.url}/store/orders?`);
    const rest = await send(`GET ${nextPage(response)}`);
    expect(rest.json()).toEqual(orders.slice(20));
    expect(rest.headers).not.toHaveProperty('link');
  });

  test('200: an order has exactly these fields, in this order', async () => {
    const [first] = orders;
    const { text } = await send('GET /store/orders?limit=1');
    expect(text).toBe(
      `[{"id":${first?.id},"petId":${first?.petId},"status":"delivered","placedAt":"${first?.placedAt}"}]`,
    );
    expect(first?.placedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test.each([7, 22])('200: pages of %i hold every order once', async limit => {
    const pages = await pagesFrom(send, `/store/orders?limit=${limit}`);
    expect(pages.flat()).toEqual(orders);
    expect(pages.map(page => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => limit));
  });

  test('operators list the same orders, the newest first, all or those of a status', async () => {
    expect(await ask('orders.list', {})).toEqual({ orders: orders.toReversed(), hasMore: false });
    expect((await ask('orders.list', { status: 'approved' })).orders).toEqual(
      having('approved').toReversed(),
    );
  });

  test.each(['placed', 'approved', 'delivered'])('200: orders that are %s, on all pages', async status => {
    expect(having(status)).not.toEqual([]);
    const pages = await pagesFrom(send, `/store/orders?status=${status}&limit=3`);
    expect(pages.flat()).toEqual(having(status));
  });

  test('400: a wrong parameter, and a cursor that is forged or of the list of animals', async () => {
    const cursorOf = async (path: string) =>
      new URL(nextPage(await send(`GET ${path}`)) ?? '').searchParams.get('cursor') ?? '';
    const ofOrders = await cursorOf('/store/orders?limit=1');
    expectError(await send('GET /store/orders?limit=x&status=y'), 400, 'invalid_request', /limit.*status/);
    for (const cursor of [await cursorOf('/pets?limit=1'), `${ofOrders}x`]) {
      expectError(await send(`GET /store/orders?cursor=${cursor}`), 400, 'invalid_cursor');
    }
    expectError(await send(`GET /pets?cursor=${ofOrders}`), 400, 'invalid_cursor');
  });
});

describe('the life of an order', () => {
  const statusOf = async (petId: number) =>
    (await send(`GET /pets/${petId}`)).json<{ status: string }>().status;
  const isListed = async (petId: number, status: string) =>
    (await allPets(send, `limit=100&status=${status}`)).some(({ id }) => id === petId);
  const orderOf = async (petId: number) =>
    (await pagesFrom(send, '/store/orders?limit=100'))
      .flat()
      .map(order => order as unknown as Order)
      .find(order => order.petId === petId);

  test('placing makes the animal pending, approving keeps it so, delivering makes it sold, and clients see it', async () => {
    const { id: petId } = await created(send, { name: 'Rex', categoryId: 1 });
    const order = await ask('orders.place', { petId });
    expect(order).toMatchObject({ petId, status: 'placed' });
    expect(await orderOf(petId)).toEqual(order);
    expect(await statusOf(petId)).toBe('pending');
    expect([await isListed(petId, 'pending'), await isListed(petId, 'available')]).toEqual([true, false]);
    await ask('orders.approve', { id: order.id });
    expect(await orderOf(petId)).toEqual({ ...order, status: 'approved' });
    expect(await statusOf(petId)).toBe('pending');
    await ask('orders.deliver', { id: order.id });
    expect(await orderOf(petId)).toEqual({ ...order, status: 'delivered' });
    expect([await statusOf(petId), await isListed(petId, 'sold')]).toEqual(['sold', true]);
  });

  test('canceling removes the order and makes the pet available again', async () => {
    const { id: petId } = await created(send, { name: 'Rex', categoryId: 1 });
    const { id } = await ask('orders.place', { petId });
    await ask('orders.cancel', { id });
    expect([await orderOf(petId), await statusOf(petId)]).toEqual([undefined, 'available']);
    expect(await isListed(petId, 'available')).toBe(true);
  });
});
