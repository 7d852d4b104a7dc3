import { randomUUID } from 'node:crypto';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { startEngine } from '../../infra/local/testing/engine.ts';

export type BareEngine = Awaited<ReturnType<typeof startBareEngine>>;

/** The default engine in memory, and a client with default settings. */
export async function startBareEngine() {
  const engine = startEngine();
  const endpoint = await engine.endpoint;
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return {
    endpoint,
    client,
    async stop() {
      client.destroy();
      await engine.stop();
    },
  };
}

/** DynamoDB's limit for one BatchWriteItem. */
const BATCH_SIZE = 25;
/** Enough concurrent batches to keep the engine busy. */
const CONCURRENCY = 4;

const STATUSES = ['available', 'pending', 'sold'] as const;
const FIRST_ID = 100_000_000_000_000n;

/** The id of a loaded pet. Ids have the service's form, are a millisecond apart, and older than any it draws today. */
export function loadedId(index: number): string {
  return String(FIRST_ID + (BigInt(index) << 13n));
}

/** Writes pets directly to the pets table, in the store's item form (shared/pets/pet-tables.ts), `to` excluded. */
export async function loadPets(
  client: DynamoDBClient,
  tableName: string,
  from: number,
  to: number,
): Promise<void> {
  let next = from;
  const worker = async () => {
    while (next < to) {
      const length = Math.min(BATCH_SIZE, to - next);
      const first = next;
      next += length;
      const batch = Array.from({ length }, (_, offset) => petItem(first + offset));
      const written = await client.send(
        new BatchWriteItemCommand({
          RequestItems: { [tableName]: batch.map(Item => ({ PutRequest: { Item } })) },
        }),
      );
      if (Object.keys(written.UnprocessedItems ?? {}).length > 0) {
        throw new Error('The engine left a part of a batch unwritten.');
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
}

function petItem(index: number) {
  const status = STATUSES[index % STATUSES.length] ?? 'available';
  return {
    shard: { N: '0' },
    statusShard: { S: `${status}#0` },
    id: { N: loadedId(index) },
    name: { S: `Rex the ${index}th of his name` },
    categoryId: { N: String(index % 40) },
    status: { S: status },
    writeToken: { S: randomUUID() },
  };
}
