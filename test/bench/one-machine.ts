import { randomInt, randomUUID } from 'node:crypto';
import { Agent } from 'node:http';
import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { connectOperator } from '../../infra/operator/connection/invoke-operator.ts';
import { localTarget } from '../../infra/operator/connection/target.ts';
import { exchange } from '../../infra/tools/http-exchange.ts';
import { type RunningService, startService } from '../service/running-service.ts';
import { type BareEngine, loadedId, loadPets, startBareEngine } from './bare-engine.ts';
import { median } from './variants.ts';

const PETS = 1000;

export interface OneMachine {
  readonly engineRequestsPerSecond: number;
  readonly serviceRequestsPerSecond: number;
  /** The service's requests per second, divided by the engine's. */
  readonly ratio: number;
  readonly startSeconds: number;
}

const STARTS = 3;

/** V8 optimizes the code of each of the ten execution environments by itself: the rate rises for half a minute. */
const WARM_UP_MS = 30_000;

/** Measured blocks of each target. The targets alternate. */
const BLOCKS = 6;
const BLOCK_MS = 3000;

export async function measureOneMachine(
  petsTable: string,
  progress: (done: string) => void,
): Promise<OneMachine> {
  const startSeconds: number[] = [];
  for (let start = 1; start <= STARTS; start += 1) {
    startSeconds.push(await measureStartSeconds());
    progress(`npm start, ${start} of ${STARTS}`);
  }
  const engine = await startBareEngine();
  try {
    return {
      ...(await compare(engine, petsTable, progress)),
      startSeconds: median(startSeconds),
    };
  } finally {
    await engine.stop();
  }
}

/** Loads the engine alternately by the SDK and through the service: the difference is the cost of the service. */
async function compare(
  { endpoint, client }: BareEngine,
  petsTable: string,
  progress: (done: string) => void,
): Promise<Omit<OneMachine, 'startSeconds'>> {
  // With more patience than usual: a response that a busy machine delays must not end the run.
  const running = await startService(['--memory', '--dynamodb', endpoint, '--patience', '10']);
  const agent = new Agent({ keepAlive: true });
  try {
    await loadPets(client, petsTable, 0, PETS);
    const bare = engineTarget(client, petsTable);
    const service = serviceTarget(running.production.url, await createKeys(running), agent);
    await rateOf(bare, WARM_UP_MS);
    await rateOf(service, WARM_UP_MS);
    progress('warm-up');
    const engineRates: number[] = [];
    const serviceRates: number[] = [];
    for (let block = 1; block <= BLOCKS; block += 1) {
      engineRates.push(await rateOf(bare, BLOCK_MS));
      serviceRates.push(await rateOf(service, BLOCK_MS));
      progress(`load, ${block} of ${BLOCKS}`);
    }
    return {
      engineRequestsPerSecond: median(engineRates),
      serviceRequestsPerSecond: median(serviceRates),
      ratio: median(serviceRates.map((rate, block) => rate / (engineRates[block] ?? Number.NaN))),
    };
  } finally {
    agent.destroy();
    await running.stop();
  }
}

/** The target of a load: lists a page of 20 pets, gets one pet, or creates one. */
interface Target {
  list(): Promise<unknown>;
  get(): Promise<unknown>;
  create(): Promise<unknown>;
}

/** Four reads, half of them pages, for every create. */
const MIX: readonly (keyof Target)[] = ['list', 'get', 'list', 'get', 'create'];

const REQUESTS_IN_FLIGHT = 16;
const MAX_REQUESTS_PER_BLOCK = 20_000;

/** The requests per second of a target under the mixed load. */
async function rateOf(target: Target, milliseconds: number): Promise<number> {
  const startedAt = performance.now();
  let sent = 0;
  const worker = async () => {
    while (performance.now() - startedAt < milliseconds && sent < MAX_REQUESTS_PER_BLOCK) {
      const kind = MIX[sent % MIX.length] ?? 'list';
      sent += 1;
      await target[kind]();
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_IN_FLIGHT }, worker));
  return (sent * 1000) / (performance.now() - startedAt);
}

const PET_ATTRIBUTES = {
  ProjectionExpression: 'id, #name, categoryId, #status',
  ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
};

/** Drives the engine directly by the SDK, with the calls that the service makes. */
function engineTarget(client: DynamoDBClient, TableName: string): Target {
  let id = BigInt(loadedId(0)) * 2n;
  return {
    list: () =>
      client.send(
        new QueryCommand({
          TableName,
          ...PET_ATTRIBUTES,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { ...PET_ATTRIBUTES.ExpressionAttributeNames, '#partition': 'shard' },
          ExpressionAttributeValues: { ':partition': { N: '0' } },
          Limit: 21,
        }),
      ),
    get: () =>
      client.send(
        new GetItemCommand({
          TableName,
          Key: { shard: { N: '0' }, id: { N: loadedId(randomInt(PETS)) } },
          ...PET_ATTRIBUTES,
          ConsistentRead: true,
        }),
      ),
    create() {
      id += 8192n;
      return client.send(
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

/** The running service over HTTP, with connections kept open. */
function serviceTarget(url: string, keys: readonly string[], agent: Agent): Target {
  let sent = 0;
  const send = async (method: string, path: string, body?: string): Promise<void> => {
    sent += 1;
    const headers = {
      Authorization: `Bearer ${keys[sent % keys.length]}`,
      ...(body && { 'Content-Type': 'application/json' }),
    };
    const { status } = await exchange(`${url}${path}`, { method, headers, body, agent });
    if (status >= 300) throw new Error(`The service returned ${status} to ${method} ${path}.`);
  };
  return {
    list: () => send('GET', '/pets?limit=20'),
    get: () => send('GET', `/pets/${loadedId(randomInt(PETS))}`),
    create: () => send('POST', '/pets', JSON.stringify({ name: 'Rex', categoryId: 1 })),
  };
}

/**
 * The number of API keys that share the load. A key may send 200 requests a second (infra/stack/environments.ts), so 8
 * keys may send 1,600: only the stage's limit of 1,000 applies.
 */
const KEYS = 8;

async function createKeys(running: RunningService): Promise<string[]> {
  const operator = await connectOperator(localTarget('production', { ...running, baseUrls: {} }));
  return Array.fromAsync({ length: KEYS }, async (_, index) => {
    const { result } = await operator.invoke('keys.create', { name: `bench ${index}` });
    return String(result.key);
  });
}

/**
 * Measures the seconds from the start of what `npm start` runs, with its own DynamoDB Local, to the first response. The stacks are
 * already synthesized, as after any start without changes since.
 */
async function measureStartSeconds(): Promise<number> {
  const startedAt = performance.now();
  const service = await startService(['--memory']);
  try {
    const { url, apiKey } = service.production;
    const { status } = await exchange(`${url}/pets`, { headers: { Authorization: `Bearer ${apiKey}` } });
    if (status !== 200) throw new Error(`The first request returned ${status}.`);
    return (performance.now() - startedAt) / 1000;
  } finally {
    await service.stop();
  }
}
