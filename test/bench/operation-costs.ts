import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { environmentNamed } from '../../infra/stack/environments.ts';
import { MAXIMUM_SHARDS } from '../../shared/pets/pet-id.ts';
import { startService } from '../service/running-service.ts';
import { type BareEngine, loadedId, loadPets } from './bare-engine.ts';

/** What one request of an operation costs at DynamoDB, with this number of pets in the table. */
export interface OperationCost {
  readonly operation: string;
  readonly pets: number;
  readonly calls: number;
  readonly capacityUnits: number;
  /** Calls to the table of API keys, with the authorizer's cache warm. */
  readonly authenticationCalls: number;
}

/** Each request is repeated this often: a cost that varies shows as a fraction. */
const REPETITIONS = 3;

/** Runs the service on an engine behind a recording proxy, and measures at each size of the table. */
export async function measureOperationCosts(
  { endpoint, client }: BareEngine,
  petsTable: string,
  apiKeysTable: string,
  sizes: readonly number[],
  progress: (done: string) => void,
): Promise<OperationCost[]> {
  const proxy = await startRecordingProxy(endpoint);
  const service = await startService(['--memory', '--dynamodb', proxy.endpoint]);
  const { url, apiKey } = service.production;
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'application/json' };
  const middle = (size: number) => encodeURIComponent(loadedId(Math.floor(size / 2)));
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });

  const operations: [string, (size: number) => Promise<Response>][] = [
    ['create', () => fetch(`${url}/pets`, { method: 'POST', headers, body })],
    ['get', size => fetch(`${url}/pets/${middle(size)}`, { headers })],
    ['page of 20', () => fetch(`${url}/pets?limit=20`, { headers })],
    ['page of 20 by status', () => fetch(`${url}/pets?limit=20&status=sold`, { headers })],
    ['page of 100', () => fetch(`${url}/pets?limit=100`, { headers })],
  ];

  try {
    const costs: OperationCost[] = [];
    let loaded = 0;
    for (const size of sizes) {
      await loadPets(client, petsTable, loaded, size);
      loaded = size;
      progress(`${size.toLocaleString('en')} pets`);
      for (const [operation, send] of operations) {
        // The first request fills the authorizer's cache and is not counted.
        await requireOk(send(size));
        proxy.take();
        for (let repetition = 0; repetition < REPETITIONS; repetition += 1) await requireOk(send(size));
        costs.push({ operation, pets: size, ...costOfOne(proxy.take(), apiKeysTable) });
      }
      costs.push({
        operation: 'a later page of 20',
        pets: size,
        ...(await costOfLaterPage(`${url}/pets?limit=20`, headers, proxy.take, apiKeysTable)),
      });
    }
    return costs;
  } finally {
    await service.stop();
    proxy.stop();
  }
}

async function requireOk(request: Promise<Response>): Promise<Response> {
  const response = await request;
  await response.clone().text();
  if (!response.ok) throw new Error(`The service returned ${response.status} to ${response.url}.`);
  return response;
}

async function costOfLaterPage(
  firstPage: string,
  headers: Record<string, string>,
  take: () => RecordedCall[],
  apiKeysTable: string,
) {
  let url = firstPage;
  for (let page = 0; page < REPETITIONS; page += 1) {
    const response = await requireOk(fetch(url, { headers }));
    const [, next] = /<([^>]+)>/.exec(response.headers.get('Link') ?? '') ?? [];
    if (next === undefined) throw new Error(`There is no page after ${url}.`);
    url = next;
  }
  take();
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
    await requireOk(fetch(url, { headers }));
  return costOfOne(take(), apiKeysTable);
}

function costOfOne(calls: RecordedCall[], apiKeysTable: string) {
  const isAuthentication = ({ table }: RecordedCall) => table === apiKeysTable;
  const own = calls.filter(call => !isAuthentication(call));
  return {
    calls: own.length / REPETITIONS,
    capacityUnits: own.reduce((sum, { capacityUnits }) => sum + capacityUnits, 0) / REPETITIONS,
    authenticationCalls: calls.length - own.length,
  };
}

/** A call to the engine, with the capacity that the engine says it consumed. */
interface RecordedCall {
  readonly operation: string;
  /** The table that the call names; undefined for a call of several tables. */
  readonly table: string | undefined;
  readonly capacityUnits: number;
}

interface RecordingProxy {
  readonly endpoint: string;
  /** Returns the calls since the last `take`. */
  take(): RecordedCall[];
  stop(): void;
}

/** The operations that accept ReturnConsumedCapacity. */
const METERED = new Set([
  'GetItem',
  'PutItem',
  'UpdateItem',
  'DeleteItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'BatchWriteItem',
  'TransactWriteItems',
]);

interface Consumed {
  readonly CapacityUnits: number;
}

/** Starts a proxy in front of the engine, which adds ReturnConsumedCapacity to each call and records the response. */
async function startRecordingProxy(engineEndpoint: string): Promise<RecordingProxy> {
  const agent = new Agent({ keepAlive: true });
  let calls: RecordedCall[] = [];

  const server = createServer(async (incoming, outgoing) => {
    const [, operation = ''] = String(incoming.headers['x-amz-target']).split('.');
    const body = Buffer.concat(await incoming.toArray());
    const metered = METERED.has(operation) ? withConsumedCapacity(body) : body;
    const headers = { ...incoming.headers, 'content-length': String(metered.length) };
    const engine = request(engineEndpoint, { method: incoming.method, headers, agent });
    engine.on('error', () => outgoing.destroy());
    engine.on('response', async response => {
      const content = Buffer.concat(await response.toArray());
      if (METERED.has(operation)) calls.push(recordedCall(operation, body, content));
      const {
        connection,
        'keep-alive': keepAlive,
        'transfer-encoding': encoding,
        ...kept
      } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, { ...kept, 'content-length': content.length });
      outgoing.end(content);
    });
    engine.end(metered);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take() {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop() {
      server.close();
      server.closeAllConnections();
      agent.destroy();
    },
  };
}

function withConsumedCapacity(body: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(body.toString()), ReturnConsumedCapacity: 'TOTAL' }));
}

/** Reads the table from the request, because the response to a rejected call has no ConsumedCapacity. */
function recordedCall(operation: string, body: Buffer, response: Buffer): RecordedCall {
  const { TableName } = JSON.parse(body.toString());
  const { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] } = JSON.parse(
    response.toString(),
  );
  return {
    operation,
    table: TableName,
    capacityUnits: [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0),
  };
}

/** AWS's limit: each partition of a table, and each of an index, takes 1,000 write units a second. */
const WRITE_UNITS_PER_PARTITION = 1000;
/** A create writes one item below 1 KB to its shard's partition of the table, and one to that of the index. */
const WRITE_UNITS_PER_PARTITION_AND_CREATE = 1;

interface SustainedCreates {
  readonly shards: number;
  readonly createsPerSecond: number;
}

const withShards = (shards: number): SustainedCreates => ({
  shards,
  createsPerSecond: (shards * WRITE_UNITS_PER_PARTITION) / WRITE_UNITS_PER_PARTITION_AND_CREATE,
});

/** The rate that the key design allows with the configured number of shards, and with the most an id can encode. */
export const SUSTAINED_CREATES = [
  withShards(environmentNamed('production').petShards),
  withShards(MAXIMUM_SHARDS),
];

export const ARITHMETIC =
  `Sustained creates: a create writes ${WRITE_UNITS_PER_PARTITION_AND_CREATE} unit to one partition of the table and ` +
  `${WRITE_UNITS_PER_PARTITION_AND_CREATE} to one of the index; AWS allows each partition ` +
  `${WRITE_UNITS_PER_PARTITION.toLocaleString('en')} units a second. ` +
  SUSTAINED_CREATES.map(
    ({ shards, createsPerSecond }) =>
      `${shards} shard${shards === 1 ? ' (as set)' : 's (the most)'}: ${shards} × ` +
      `${WRITE_UNITS_PER_PARTITION} / ${WRITE_UNITS_PER_PARTITION_AND_CREATE} = ${createsPerSecond.toLocaleString('en')} creates a second.`,
  ).join(' ');
