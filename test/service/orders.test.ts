import { beforeAll, describe, expect, test } from 'vitest';
import { client, created, expectError, nextPage, pagesFrom } from './http-client.ts';
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
