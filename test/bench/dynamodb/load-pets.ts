import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** DynamoDB's limit for one BatchWriteItem. */
const BATCH = 25;
/** As many as keep the engine busy. */
const LANES = 4;

const STATUSES = ['available', 'pending', 'sold'] as const;
const FIRST_ID = 100_000_000_000_000n;

/** Ids as the service draws them, a millisecond apart, and older than any that it draws today. */
export function loadedId(place: number): string {
  return String(FIRST_ID + (BigInt(place) << 13n));
}

/** Fills the pets table straight, in the store's own form (shared/pets/pet-tables.ts), from one place to another. */
export async function loadPets(
  client: DynamoDBClient,
  tableName: string,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const lane = async () => {
    while (next < to) {
      const start = next;
      next = Math.min(to, start + BATCH);
      const places = Array.from({ length: next - start }, (_, offset) => start + offset);
      const written = await client.send(
        new BatchWriteItemCommand({
          RequestItems: { [tableName]: places.map(place => ({ PutRequest: { Item: petItem(place) } })) },
        }),
      );
      if (Object.keys(written.UnprocessedItems ?? {}).length > 0) {
        throw new Error('The engine left a part of a batch unwritten.');
      }
    }
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function petItem(place: number) {
  const status = STATUSES[place % STATUSES.length] ?? 'available';
  return {
    shard: { N: '0' },
    statusShard: { S: `${status}#0` },
    id: { N: loadedId(place) },
    name: { S: `Rex the ${place}th of his name` },
    categoryId: { N: String(place % 40) },
    status: { S: status },
    writeToken: { S: randomUUID() },
  };
}
