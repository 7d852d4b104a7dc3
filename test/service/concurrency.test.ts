import { describe, expect, test } from 'vitest';
import { allPets, client, created, type Pet } from './http-client.ts';
import { sharedService } from './shared-service.ts';

const service = sharedService();

const STATUSES = ['available', 'pending', 'sold'] as const;

describe('concurrent clients', () => {
  const send = client(() => service.production);

  /** Several clients, each creating one pet after the other; in the order of ids. */
  async function createdByMany(clients: number, each: number, name: string): Promise<Pet[]> {
    const pets: Pet[] = [];
    const work = Array.from({ length: clients }, async (_, number) => {
      for (let count = 0; count < each; count += 1) {
        const status = STATUSES[(number + count) % STATUSES.length];
        pets.push(await created(send, { name, categoryId: count, status }));
      }
    });
    await Promise.all(work);
    return pets.toSorted((a, b) => a.id - b.id);
  }

  test('200: paging while others create misses no earlier pet and repeats none; what they create is listed once', async () => {
    const before = await createdByMany(4, 5, 'Before');
    const creating = createdByMany(8, 12, 'During');
    const walked = await allPets(send, 'limit=3');
    const ids = walked.map(({ id }) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => a - b));
    expect(walked.filter(({ name }) => name === 'Before')).toEqual(before);
    const during = await creating;
    expect((await allPets(send)).filter(({ name }) => name === 'During')).toEqual(during);
    for (const filter of STATUSES) {
      const listed = (await allPets(send, `limit=99&status=${filter}`)).filter(
        ({ name }) => name === 'During',
      );
      expect(listed).toEqual(during.filter(({ status }) => status === filter));
    }
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
