import { BatchWriteItemCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import type { PageRequest } from '../../../shared/paging.ts';
import type { NewPet, Pet, PetStatus } from '../../../shared/pets/pet.ts';
import { newPetItem, type PetStore } from '../../../shared/pets/pet-store.ts';
import type { PetFilter } from '../../../shared/pets/pet-tables.ts';

export const rex: NewPet = { name: 'Rex', categoryId: 7n, status: 'available' };

const STATUSES: readonly PetStatus[] = ['available', 'pending', 'sold'];

/** Pets of all statuses with these ids. */
export function petsWith(ids: readonly bigint[]): Pet[] {
  return ids.map((id, place) => ({ ...rex, id, status: STATUSES[place % STATUSES.length] ?? 'sold' }));
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
