import { startFaultProxy } from '../fault-proxy.ts';
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

/** How many pets the table has, the smaller number first. */
const SIZES = [1000, 100_000];

/** Each request is repeated this often: a cost that varies shows as a fraction. */
const REPETITIONS = 3;

/** Runs the service on an engine behind a recording proxy, and measures at each size of the table. */
export async function measureOperationCosts(
  { endpoint, client }: BareEngine,
  petsTable: string,
  apiKeysTable: string,
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
  ];

  try {
    const costs: OperationCost[] = [];
    let loaded = 0;
    for (const size of SIZES) {
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
  /** The table that the call names; undefined for a call of several tables. */
  readonly table: string | undefined;
  readonly capacityUnits: number;
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
async function startRecordingProxy(engineEndpoint: string) {
  const calls: RecordedCall[] = [];
  const proxy = await startFaultProxy({
    upstream: () => engineEndpoint,
    async exchange(request, forwarded) {
      const [, operation = ''] = String(request.headers['x-amz-target']).split('.');
      if (!METERED.has(operation)) return forwarded(request);
      const input = JSON.parse(request.body.toString());
      const body = Buffer.from(JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }));
      const response = await forwarded({ ...request, body });
      calls.push(recordedCall(input.TableName, JSON.parse(response.body.toString())));
      return response;
    },
  });
  return {
    ...proxy,
    /** Returns the calls since the last `take`. */
    take: () => calls.splice(0),
  };
}

/** The table is that of the request, because the response to a rejected call has no ConsumedCapacity. */
function recordedCall(
  table: string | undefined,
  { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] },
): RecordedCall {
  const capacityUnits = [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0);
  return { table, capacityUnits };
}
