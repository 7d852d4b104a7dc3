import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Check } from './check.ts';
import { Skipped } from './check-outcomes.ts';
import { broken, expectError, expectHeader, expectList, expectObject, expectStatus } from './expectations.ts';
import type { Answer, Send } from './smoke-client.ts';

/** Sold, so that no client is offered it. */
const SMOKE_PET = { name: 'Petstore smoke', categoryId: 1, status: 'sold' };

/** What the operations do when all is well. */
export const OPERATION_CHECKS: readonly Check[] = [
  {
    name: 'createPet creates an animal, and getPet finds it at once',
    writes: true,
    async run({ send }) {
      const created = await send('POST /pets', { body: SMOKE_PET });
      const { id, ...fields } = expectObject(created, 201);
      if (!isDeepStrictEqual(fields, SMOKE_PET))
        throw broken(created, 'the animal as it was sent', created.text);
      expectHeader(created, 'location', new RegExp(`^https?://.+/v1/pets/${id}$`));
      expectSame(await send(`GET /pets/${id}`), created, 200);
    },
  },
  {
    name: 'createPet with an Idempotency-Key creates one animal however often it is sent',
    writes: true,
    async run({ send }) {
      const headers = { 'Idempotency-Key': randomUUID() };
      const first = await send('POST /pets', { headers, body: SMOKE_PET });
      expectStatus(first, 201);
      const again = await send('POST /pets', { headers, body: SMOKE_PET });
      expectSame(again, first, 201);
      expectHeader(again, 'idempotency-replayed', 'true');
      const other = await send('POST /pets', { headers, body: { ...SMOKE_PET, name: 'Another' } });
      expectError(other, 422, 'idempotency_mismatch');
    },
  },
  {
    name: 'listPets lists animals',
    async run({ send }) {
      expectAtMost(await send('GET /pets?limit=2'), 2);
      const head = await send('HEAD /pets?limit=2');
      expectStatus(head, 200);
      expectHeader(head, 'content-type', 'application/json');
    },
  },
  {
    name: 'listPets lists the animals of a status',
    async run({ send }) {
      const answer = await send('GET /pets?status=sold&limit=2');
      const pets = expectAtMost(answer, 2);
      if (pets.some(({ status }) => status !== 'sold')) {
        throw broken(answer, 'animals that are sold', answer.text);
      }
    },
  },
  {
    name: 'listPets announces the next page in Link',
    run: ({ send, keys }) => expectNextPage(send, '/pets', keys.pets),
  },
  {
    name: 'getPet answers an animal of the list, and that it is deprecated',
    async run({ send }) {
      const [pet] = expectList(await send('GET /pets?limit=1'));
      if (pet === undefined) throw new Skipped('there are no animals yet');
      const answer = await send(`GET /pets/${pet.id}`);
      const found = expectObject(answer, 200);
      if (found.id !== pet.id) throw broken(answer, `the animal ${pet.id}`, answer.text);
      expectHeader(answer, 'deprecation', /^@\d+$/);
      expectHeader(answer, 'sunset', /GMT$/);
      expectHeader(answer, 'link', /rel="successor-version"/);
    },
  },
  {
    name: 'listOrders lists orders',
    async run({ send, keys }) {
      expectAtMost(await send('GET /store/orders?limit=2', { key: keys.orders }), 2);
    },
  },
  {
    name: 'listOrders lists the orders of a status',
    async run({ send, keys }) {
      expectAtMost(await send('GET /store/orders?status=delivered&limit=2', { key: keys.orders }), 2);
    },
  },
  {
    name: 'listOrders announces the next page in Link',
    run: ({ send, keys }) => expectNextPage(send, '/store/orders', keys.orders),
  },
];

function expectAtMost(answer: Answer, limit: number): readonly Record<string, unknown>[] {
  const items = expectList(answer);
  if (items.length > limit) throw broken(answer, `at most ${limit} items`, `${items.length} items`);
  return items;
}

function expectSame(answer: Answer, other: Answer, status: number): void {
  expectStatus(answer, status);
  if (answer.text !== other.text) throw broken(answer, other.text, answer.text);
}

/** How often a list is read that others change meanwhile. */
const LIST_ATTEMPTS = 3;

/**
 * Follows the Link of a page of one: the page behind it begins with the next id. Others may use the environment at the
 * same time, so a finding counts only if the list still begins as it did.
 */
async function expectNextPage(send: Send, path: string, key: string): Promise<void> {
  const firstTwo = async () => expectList(await send(`GET ${path}?limit=2`, { key })).map(({ id }) => id);
  let ids = await firstTwo();
  for (let attempt = 1; ; attempt += 1) {
    if (ids.length < 2) throw new Skipped('the list has fewer than two entries');
    try {
      return await expectSecondBehindLink(send, path, key, ids[1]);
    } catch (error) {
      const idsNow = await firstTwo();
      if (attempt === LIST_ATTEMPTS || isDeepStrictEqual(idsNow, ids)) throw error;
      ids = idsNow;
    }
  }
}

async function expectSecondBehindLink(send: Send, path: string, key: string, second: unknown): Promise<void> {
  const page = await send(`GET ${path}?limit=1`, { key });
  expectList(page);
  expectHeader(page, 'link', /^<[^>]+>; rel="next"$/);
  const [, next = ''] = /^<([^>]+)>/.exec(String(page.headers.link)) ?? [];
  const nextPage = await send(`GET ${next}`, { key });
  const [item] = expectList(nextPage);
  if (item?.id !== second) throw broken(nextPage, `the id ${second} first`, nextPage.text);
}
