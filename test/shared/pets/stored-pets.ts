import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import fc from 'fast-check';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import type { PageRequest } from '../../../shared/paging.ts';
import { type NewPet, type Pet, PetStatus } from '../../../shared/pets/pet.ts';
import { newPetItem, type PetStore } from '../../../shared/pets/pet-store.ts';
import type { PetFilter } from '../../../shared/pets/pet-tables.ts';

export const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

/** What the pets of the tests have of the fields that lists filter by. */
const VALUES: { readonly [Name in keyof PetFilter]-?: readonly NonNullable<PetFilter[Name]>[] } = {
  status: PetStatus.options,
};

/** A filter of any of the fields, or none. */
export const someFilter: fc.Arbitrary<PetFilter> = fc.record(
  Object.fromEntries(Object.entries(VALUES).map(([name, values]) => [name, fc.constantFrom(...values)])),
  { requiredKeys: [] },
);

export function matching(filter: PetFilter): (pet: Pet) => boolean {
  const names = Object.keys(filter) as (keyof PetFilter)[];
  return pet => names.every(name => filter[name] === undefined || pet[name] === filter[name]);
}

/** Pets with these ids, and all combinations of these values in turn. */
export function petsWith(ids: readonly bigint[]): Pet[] {
  return ids.map((id, place) => {
    const pet: Record<string, unknown> = { ...rex, id };
    let turn = place;
    for (const [name, values] of Object.entries(VALUES)) {
      pet[name] = values[turn % values.length];
      turn = Math.floor(turn / values.length);
    }
    return pet as Pet;
  });
}

/** Ascending ids, spread over the shards. */
export function idsOver(activeShards: number, count: number): bigint[] {
  return Array.from({ length: count }, (_, place) => {
    const shard = (place * 7) % activeShards;
    return BigInt(place + 1) * 8192n + BigInt(shard);
  });
}

const BATCH_SIZE = 25;
const WRITERS = 4;

/** Stores pets in the form that the store gives them, in batches and by a few concurrent writers. */
export async function putAll(table: string, pets: readonly Pet[]): Promise<void> {
  const requests = pets.map(pet => ({ PutRequest: { Item: newPetItem(pet, 'of the test').Item } }));
  const writers = Array.from({ length: WRITERS }, async (_, writer) => {
    for (let start = writer * BATCH_SIZE; start < requests.length; start += WRITERS * BATCH_SIZE) {
      const batch = requests.slice(start, start + BATCH_SIZE);
      await dynamoDb.send(new BatchWriteItemCommand({ RequestItems: { [table]: batch } }));
    }
  });
  await Promise.all(writers);
}

/** Every pet on the pages from the first to the last. */
export async function walk(store: PetStore, request: PageRequest<PetFilter>): Promise<Pet[]> {
  const listed: Pet[] = [];
  for (let after = request.after; ; after = listed.at(-1)?.id) {
    const { elements, hasMore } = await store.list({ ...request, after });
    listed.push(...elements);
    if (!hasMore) return listed;
  }
}
