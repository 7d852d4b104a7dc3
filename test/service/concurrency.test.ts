import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { allPets, client, created, type Pet, pagesFrom } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const STATUSES = ['available', 'pending', 'sold'] as const;

function inIdOrder(pets: readonly Pet[]): Pet[] {
  return pets.toSorted((a, b) => a.id - b.id);
}

describe('concurrent clients', () => {
  const send = client(() => service.production);

  /** Several clients, each creating one pet after the other. */
  async function createdByMany(clients: number, each: number, name: string): Promise<Pet[]> {
    const pets: Pet[] = [];
    const work = Array.from({ length: clients }, async (_, number) => {
      for (let count = 0; count < each; count += 1) {
        const status = STATUSES[(number + count) % STATUSES.length];
        pets.push(await created(send, { name, categoryId: count, status }));
      }
    });
    await Promise.all(work);
    return pets;
  }

  test('200: what eight clients create is listed exactly once, in order, for any limit and filter', async () => {
    const pets = await createdByMany(8, 12, 'Crowd');
    expect(new Set(pets.map(({ id }) => id)).size).toBe(pets.length);
    const isListedOnce = fc.asyncProperty(
      fc.integer({ min: 1, max: 100 }),
      fc.option(fc.constantFrom(...STATUSES)),
      async (limit, status) => {
        const filter = status === null ? '' : `&status=${status}`;
        const pages = await pagesFrom(send, `/pets?limit=${limit}${filter}`);
        expect(pages.slice(0, -1).every(page => page.length === limit)).toBe(true);
        const listed = pages.flat();
        expect(listed).toEqual(inIdOrder(listed));
        const expected = pets.filter(pet => status === null || pet.status === status);
        expect(listed.filter(({ name }) => name === 'Crowd')).toEqual(inIdOrder(expected));
      },
    );
    await fc.assert(isListedOnce, {
      numRuns: 12,
      examples: [
        [1, 'sold'],
        [100, null],
        [99, null],
      ],
    });
  });

  test('200: paging while others create misses no earlier pet and repeats none', async () => {
    const before = await createdByMany(4, 5, 'Before');
    const creating = createdByMany(4, 10, 'During');
    const walked = await allPets(send, 'limit=3');
    const during = await creating;
    expect(walked).toEqual(inIdOrder([...new Map(walked.map(pet => [pet.id, pet])).values()]));
    expect(walked.filter(({ name }) => name === 'Before')).toEqual(inIdOrder(before));
    expect((await allPets(send)).filter(({ name }) => name === 'During')).toEqual(inIdOrder(during));
  });

  test('201: twelve copies of one request with an Idempotency-Key create one pet and get the same response', async () => {
    const headers = { 'Idempotency-Key': 'twelve' };
    const body = { name: 'Only one', categoryId: 1 };
    const copies = Array.from({ length: 12 }, () => send('POST /pets', { headers, body }));
    const responses = await Promise.all(copies);
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ text }) => text)).size).toBe(1);
    expect(responses.filter(({ headers }) => headers['idempotency-replayed'] === undefined)).toHaveLength(1);
    expect((await allPets(send)).filter(({ name }) => name === 'Only one')).toHaveLength(1);
  });
});
