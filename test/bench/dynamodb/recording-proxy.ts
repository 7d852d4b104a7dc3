import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call to the engine, with the capacity that the engine says it consumed. */
export interface RecordedCall {
  readonly operation: string;
  /** The table that the call names; undefined for a call of several tables. */
  readonly table: string | undefined;
  readonly capacityUnits: number;
}

export interface RecordingProxy {
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

/** Starts a proxy in front of the engine, which adds ReturnConsumedCapacity to each call and records the answer. */
export async function startRecordingProxy(engineEndpoint: string): Promise<RecordingProxy> {
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
      const answer = Buffer.concat(await response.toArray());
      if (METERED.has(operation)) calls.push(recordedCall(operation, body, answer));
      const {
        connection,
        'keep-alive': keepAlive,
        'transfer-encoding': encoding,
        ...kept
      } = response.headers;
      outgoing.writeHead(response.statusCode ?? 502, { ...kept, 'content-length': answer.length });
      outgoing.end(answer);
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

/** Reads the table from the request, because the answer to a rejected call has no ConsumedCapacity. */
function recordedCall(operation: string, body: Buffer, answer: Buffer): RecordedCall {
  const { TableName } = JSON.parse(body.toString());
  const { ConsumedCapacity = [] }: { ConsumedCapacity?: Consumed | Consumed[] } = JSON.parse(
    answer.toString(),
  );
  return {
    operation,
    table: TableName,
    capacityUnits: [ConsumedCapacity].flat().reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0),
  };
}
