import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** A call that reached the stub. */
export interface StubCall {
  readonly operation: string;
  readonly input: Record<string, unknown>;
}

export type Stub = Awaited<ReturnType<typeof startStub>>;

/** Starts the stub of DynamoDB in a process of its own. */
export async function startStub() {
  const child = fork(join(import.meta.dirname, 'stub-process.ts'), { stdio: 'inherit' });
  const [port] = await once(child, 'message');
  return {
    endpoint: `http://127.0.0.1:${port}`,
    /** Returns the calls that reach the stub during the work. */
    async callsDuring(work: () => Promise<unknown>): Promise<StubCall[]> {
      await request(child, 'record');
      await work();
      return (await request(child, 'calls')) as StubCall[];
    },
    stop: () => child.kill(),
  };
}

async function request(child: ChildProcess, message: string): Promise<unknown> {
  const reply = once(child, 'message');
  child.send(message);
  const [response] = await reply;
  return response;
}

/**
 * A table of pets that responds as DynamoDB does: in order of id, no more than Limit, only the attributes that the
 * ProjectionExpression names. It never changes, so every variant reads the same.
 */
type Item = Record<string, { readonly S?: string; readonly N?: string }>;

interface StubInput {
  readonly IndexName?: string;
  readonly Key?: Item;
  readonly Limit?: number;
  readonly ProjectionExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

const SIZE = 300;
const FIRST_ID = 250_000_000_000_000n;
const STATUSES = ['available', 'pending', 'sold'];

/** The ids of the pets. The first pet has the largest categoryId that an int64 can hold. */
export const STUB_IDS = Array.from({ length: SIZE }, (_, index) => String(FIRST_ID + BigInt(index * 8192)));

const ITEMS: readonly Item[] = STUB_IDS.map((id, index) => {
  const status = STATUSES[index % STATUSES.length] ?? '';
  return {
    shard: { N: '0' },
    statusShard: { S: `${status}#0` },
    id: { N: id },
    name: { S: `Rex the ${index}th of his name` },
    categoryId: { N: index === 0 ? '9223372036854775807' : String(index % 40) },
    status: { S: status },
    writeToken: { S: '6b6fcb0c-5b4f-4d83-8a3f-8a7d1c0f3b1e' },
  };
});

export function query(input: StubInput) {
  const { ':partition': partition, ':start': start } = input.ExpressionAttributeValues ?? {};
  const partitionKey = input.IndexName === undefined ? 'shard' : 'statusShard';
  const found = ITEMS.filter(
    ({ [partitionKey]: key, id }) =>
      (key?.S ?? key?.N) === (partition?.S ?? partition?.N) &&
      (start === undefined || BigInt(id?.N ?? 0) > BigInt(start.N ?? 0)),
  );
  const items = found.slice(0, input.Limit);
  const last = items.length < found.length ? items.at(-1) : undefined;
  return {
    Count: items.length,
    Items: items.map(item => projected(item, input)),
    ...(last && { LastEvaluatedKey: { shard: last.shard, id: last.id } }),
    ScannedCount: items.length,
  };
}

export function getItem(input: StubInput) {
  const item = ITEMS.find(({ id }) => id?.N === input.Key?.id?.N);
  return item ? { Item: projected(item, input) } : {};
}

/** The authorizer's look-up of an API key: any hash is that of a valid key. */
export function updateItem(input: StubInput) {
  return {
    Attributes: {
      ...input.Key,
      name: { S: 'bench' },
      hint: { S: 'pet_live_…abcd' },
      scopes: { S: 'pets:read pets:write orders:read' },
      createdAt: { S: '2025-12-05T12:00:00.000Z' },
      hash: input.ExpressionAttributeValues?.[':hash'],
    },
  };
}

function projected(item: Item, { ProjectionExpression, ExpressionAttributeNames }: StubInput): Item {
  if (ProjectionExpression === undefined) return item;
  const names = ProjectionExpression.split(',').map(part => part.trim());
  const attributes = names.map(name => ExpressionAttributeNames?.[name] ?? name);
  return Object.fromEntries(Object.entries(item).filter(([name]) => attributes.includes(name)));
}
