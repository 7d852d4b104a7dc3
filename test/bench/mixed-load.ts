import { randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { exchange } from '../../infra/tools/http-exchange.ts';
import { type AwsAccess, awsClientOptions } from '../service/running-service.ts';
import { loadedId } from './bare-engine.ts';
import { percentile } from './statistics.ts';

/** The target of a load: lists a page of 20 pets, gets one pet, or creates one. */
interface Target {
  list(): Promise<void>;
  get(): Promise<void>;
  create(): Promise<void>;
}

export interface LoadResult {
  readonly requests: number;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** Four reads, half of them pages, for every create. */
const MIX: readonly (keyof Target)[] = ['list', 'get', 'list', 'get', 'create'];

const REQUESTS_IN_FLIGHT = 16;
const MAX_REQUESTS_PER_BLOCK = 20_000;

/** One measured period of the mixed load. */
export interface LoadBlock {
  readonly seconds: number;
  readonly latenciesMs: readonly number[];
}

export async function loadFor(target: Target, milliseconds: number): Promise<LoadBlock> {
  const latenciesMs: number[] = [];
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() - startedAt < milliseconds && sent < MAX_REQUESTS_PER_BLOCK) {
      const kind = MIX[sent % MIX.length] ?? 'list';
      sent += 1;
      const sentAt = performance.now();
      await target[kind]();
      latenciesMs.push(performance.now() - sentAt);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_IN_FLIGHT }, worker));
  return { seconds: (performance.now() - startedAt) / 1000, latenciesMs };
}

export function summary(blocks: readonly LoadBlock[]): LoadResult {
  const latenciesMs = blocks.flatMap(block => block.latenciesMs);
  const seconds = blocks.reduce((sum, block) => sum + block.seconds, 0);
  return {
    requests: latenciesMs.length,
    requestsPerSecond: latenciesMs.length / seconds,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  };
}

const PET_ATTRIBUTES = {
  ProjectionExpression: 'id, #name, categoryId, #status',
  ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
};

/** Drives the engine directly by the SDK, with the calls that the service makes. */
export function engineTarget(client: DynamoDBClient, TableName: string, pets: number): Target {
  let id = BigInt(loadedId(0)) * 2n;
  return {
    async list() {
      await client.send(
        new QueryCommand({
          TableName,
          ...PET_ATTRIBUTES,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { ...PET_ATTRIBUTES.ExpressionAttributeNames, '#partition': 'shard' },
          ExpressionAttributeValues: { ':partition': { N: '0' } },
          Limit: 21,
        }),
      );
    },
    async get() {
      await client.send(
        new GetItemCommand({
          TableName,
          Key: { shard: { N: '0' }, id: { N: loadedId(randomInt(pets)) } },
          ...PET_ATTRIBUTES,
          ConsistentRead: true,
        }),
      );
    },
    async create() {
      id += 8192n;
      await client.send(
        new PutItemCommand({
          TableName,
          Item: {
            shard: { N: '0' },
            statusShard: { S: 'available#0' },
            id: { N: String(id) },
            name: { S: 'Rex' },
            categoryId: { N: '1' },
            status: { S: 'available' },
            writeToken: { S: randomUUID() },
          },
          ConditionExpression: 'attribute_not_exists(id)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    },
  };
}

const OPERATOR = 'petstore-production-operator';

/**
 * The number of API keys that share the load. A key may send 200 requests a second (infra/stack/environments.ts), so 8
 * keys may send 1,600: only the stage's limit of 1,000 applies.
 */
const KEYS = 8;

/** The running service over HTTP, with connections kept open. */
export async function serviceTarget(
  url: string,
  aws: AwsAccess,
  pets: number,
): Promise<Target & { close(): void }> {
  const keys = await createKeys(aws);
  const agent = new Agent({ keepAlive: true });
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  let sent = 0;

  const send = async (method: string, path: string, content?: string): Promise<void> => {
    sent += 1;
    const headers = {
      Authorization: `Bearer ${keys[sent % keys.length]}`,
      ...(content && { 'Content-Type': 'application/json' }),
    };
    const { status } = await exchange(`${url}${path}`, { method, headers, body: content, agent });
    if (status >= 300) throw new Error(`The service returned ${status} to ${method} ${path}.`);
  };

  return {
    list: () => send('GET', '/pets?limit=20'),
    get: () => send('GET', `/pets/${loadedId(randomInt(pets))}`),
    create: () => send('POST', '/pets', body),
    close: () => agent.destroy(),
  };
}

/** Creates the keys as an operator does: by invoking the operator function. */
async function createKeys(aws: AwsAccess): Promise<string[]> {
  const lambda = new LambdaClient(awsClientOptions(aws));
  const keys: string[] = [];
  for (let number = 1; number <= KEYS; number += 1) {
    const command = { command: 'keys.create', name: `bench ${number}` };
    const { Payload } = await lambda.send(
      new InvokeCommand({ FunctionName: OPERATOR, Payload: JSON.stringify(command) }),
    );
    const reply = JSON.parse(Payload?.transformToString() ?? 'null');
    if (!reply?.ok) throw new Error(`${OPERATOR} could not create an API key.`);
    keys.push(reply.result.key);
  }
  lambda.destroy();
  return keys;
}
