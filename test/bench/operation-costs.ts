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
  const send = async (target: string, init: RequestInit = {}) => {
    const response = await fetch(target, { headers, ...init });
    await response.clone().text();
    if (!response.ok) throw new Error(`The service returned ${response.status} to ${target}.`);
    return response;
  };
  const body = JSON.stringify({ name: 'Rex', categoryId: 1 });
  const firstPage = `${url}/pets?limit=20`;

  try {
    const costs: OperationCost[] = [];
    let loaded = 0;
    for (const size of SIZES) {
      await loadPets(client, petsTable, loaded, size);
      loaded = size;
      progress(`${size.toLocaleString('en')} pets`);
      const middle = encodeURIComponent(loadedId(Math.floor(size / 2)));
      const laterPage = await pageAfter(await pageAfter(await pageAfter(firstPage, send), send), send);
      const operations: [string, () => Promise<Response>][] = [
        ['create', () => send(`${url}/pets`, { method: 'POST', body })],
        ['get', () => send(`${url}/pets/${middle}`)],
        ['page of 20', () => send(firstPage)],
        ['page of 20 by status', () => send(`${firstPage}&status=sold`)],
        ['a later page of 20', () => send(laterPage)],
      ];
      for (const [operation, request] of operations) {
        // The first request fills the authorizer's cache and is not counted.
        await request();
        proxy.take();
        for (let repetition = 0; repetition < REPETITIONS; repetition += 1) await request();
        costs.push({ operation, pets: size, ...costOfOne(proxy.take(), apiKeysTable) });
      }
    }
    return costs;
  } finally {
    await service.stop();
    proxy.stop();
  }
}

async function pageAfter(page: string, send: (url: string) => Promise<Response>): Promise<string> {
  const { headers } = await send(page);
  const [, next] = /<([^>]+)>/.exec(headers.get('Link') ?? '') ?? [];
  if (next === undefined) throw new Error(`There is no page after ${page}.`);
  return next;
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
const METERED = /Items?$|^Query$|^Scan$/;

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
      if (!METERED.test(operation)) return forwarded(request);
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
