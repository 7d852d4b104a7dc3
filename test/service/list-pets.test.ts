import { beforeAll, describe, expect, test } from 'vitest';
import { client, created, expectError, nextPage, type Pet, pagesFrom } from './http-client.ts';
import { ownStaging } from './own-staging.ts';

/** The file has its own service, since the tests compare whole lists. */
const { environment } = ownStaging();
const send = client(environment);

/** 25 animals: a page of the default length and some more. Every third is sold, none pending. */
const pets: Pet[] = [];
beforeAll(async () => {
  for (let number = 1; number <= 25; number += 1) {
    const status = number % 3 === 0 ? 'sold' : 'available';
    pets.push(await created(send, { name: `Pet ${number}`, categoryId: number, status }));
  }
});

describe('GET /pets', () => {
  test('200: the first 20 in ascending order of id, and a link to the rest at the host that was called', async () => {
    const { hostname, port, pathname } = new URL(environment().url);
    for (const host of [hostname, 'localhost']) {
      const response = await send('GET /pets', { headers: { Host: `${host}:${port}` } });
      expect([response.status, response.json()]).toEqual([200, pets.slice(0, 20)]);
      expect(response.headers).toMatchObject({
        'content-type': 'application/json',
        'cache-control': 'no-store',
      });
      expect(nextPage(response)).toMatch(`http://${host}:${port}${pathname}/pets?`);
      const rest = await send(`GET ${nextPage(response)}`);
      expect(rest.json()).toEqual(pets.slice(20));
      expect(rest.headers).not.toHaveProperty('link');
    }
  });

  test('200: a filter by status holds on the following pages, too', async () => {
    const having = (expected: string) => pets.filter(({ status }) => status === expected);
    for (const status of ['available', 'sold', 'pending']) {
      expect((await pagesFrom(send, `/pets?status=${status}&limit=3`)).flat()).toEqual(having(status));
    }
  });

  test('200: unknown parameters and a trailing slash are ignored', async () => {
    expect((await send('GET /pets/?color=red&limit=1')).json()).toEqual(pets.slice(0, 1));
  });

  test('400: a cursor that was altered, or issued for another filter', async () => {
    const next = new URL(nextPage(await send('GET /pets?limit=3&status=sold')) ?? '');
    const cursor = next.searchParams.get('cursor') ?? '';
    for (const other of ['', '\0', `${cursor}\n`, cursor.slice(1), cursor].map(encodeURIComponent)) {
      expectError(await send(`GET /pets?cursor=${other}`), 400, 'invalid_cursor', /^cursor /);
    }
  });
});
