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
  test('200: the first 20 in ascending order of id, and a link to the rest', async () => {
    const response = await send('GET /pets');
    expect(response.status).toBe(200);
    expect(response.json()).toEqual(pets.slice(0, 20));
    expect(response.headers['content-type']).toBe('application/json');
    expect(response.headers['cache-control']).toBe('no-store');
    const rest = await send(`GET ${nextPage(response)}`);
    expect(rest.json()).toEqual(pets.slice(20));
    expect(rest.headers).not.toHaveProperty('link');
  });

  test('200: the next page is an absolute address at the host that was called', async () => {
    const { hostname, port, pathname } = new URL(environment().url);
    expect(nextPage(await send('GET /pets'))).toMatch(`http://${hostname}:${port}${pathname}/pets?`);
    const throughName = await send('GET /pets', { headers: { Host: `localhost:${port}` } });
    expect(nextPage(throughName)).toMatch(`http://localhost:${port}${pathname}/pets?`);
    expect((await send(`GET ${nextPage(throughName)}`)).json()).toEqual(pets.slice(20));
  });

  test.each([1, 7, 25])('200: pages of %i hold every animal once', async limit => {
    const pages = await pagesFrom(send, `/pets?limit=${limit}`);
    expect(pages.flat()).toEqual(pets);
    expect(pages.map(page => page.length).slice(0, -1)).toEqual(pages.slice(1).map(() => limit));
    expect(pages.at(-1)).not.toEqual([]);
  });

  test('200: a filter by status holds on the following pages, too', async () => {
    const having = (expected: string) => pets.filter(({ status }) => status === expected);
    expect((await pagesFrom(send, '/pets?status=sold&limit=3')).flat()).toEqual(having('sold'));
    expect((await pagesFrom(send, '/pets?limit=5&status=available')).flat()).toEqual(having('available'));
  });

  test('200: an empty array when there is nothing to list', async () => {
    const response = await send('GET /pets?status=pending');
    expect([response.status, response.text, response.headers.link]).toEqual([200, '[]', undefined]);
  });

  test('200: unknown parameters and a trailing slash are ignored', async () => {
    expect((await send('GET /pets?color=red&limit=1')).json()).toEqual(pets.slice(0, 1));
    expect((await send('GET /pets/?limit=1')).json()).toEqual(pets.slice(0, 1));
  });

  test.each([
    ['limit', 'limit=5&limit=5'],
    ['status', 'status=sold&limit=5&status=pending'],
    ['cursor', 'cursor=a&cursor=a'],
  ])('400: %s given twice', async (name, query) => {
    const message = new RegExp(`^${name} must be given once$`);
    expectError(await send(`GET /pets?${query}`), 400, 'invalid_request', message);
  });

  test('400: one error names every parameter at fault', async () => {
    expectError(await send('GET /pets?limit=0&status=lost'), 400, 'invalid_request', /limit.*status/);
  });

  test('400: a cursor that was altered, or issued for another filter', async () => {
    const cursorOf = async (query: string) => {
      const next = nextPage(await send(`GET /pets?${query}`)) ?? '';
      return new URL(next).searchParams.get('cursor') ?? '';
    };
    const [unfiltered, sold] = [await cursorOf('limit=5'), await cursorOf('limit=3&status=sold')];
    const refused = ['', '\0', `${unfiltered}\n`, unfiltered.slice(1), sold].map(encodeURIComponent);
    for (const query of [...refused, `${unfiltered}&status=sold`, `${sold}&status=available`]) {
      expectError(await send(`GET /pets?cursor=${query}`), 400, 'invalid_cursor', /^cursor /);
    }
  });
});
