import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { inject, onTestFinished, vi } from 'vitest';
import { documents } from '../../../shared/aws/document-client.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { OPERATION_DEADLINE_MS } from '../../../shared/aws/retries.ts';
import { testServer } from './silent-server.ts';

/** The fault of one request; `undefined` for no fault. */
export type Fault =
  /** The connection breaks before the request reaches the engine. */
  | 'request lost'
  /** The engine carries the request out, and the connection breaks before its response is sent. */
  | 'response lost'
  /** As before, but half of the response is sent. */
  | 'response cut short'
  /** As before, and the connection stays open: the other half is never sent. */
  | 'response stalled'
  /** The request does not reach the engine, and the connection stays open. */
  | 'no response'
  /** The request does not reach the engine, and this is the response, or the function that makes it of the input. */
  | ErrorResponse
  | ((input: Input) => ErrorResponse)
  | undefined;

/** Only the client's deadline ends a request with such a fault. */
const SILENT: readonly Fault[] = ['response stalled', 'no response'];

type Input = Readonly<Record<string, unknown>>;

export interface ErrorResponse {
  readonly status: number;
  /** Such as ValidationException. */
  readonly type: string;
  readonly [field: string]: unknown;
}

interface EngineRequest {
  /** Such as PutItem. */
  readonly operation: string;
  readonly input: Input;
  /** Capacity units, as the engine counts them. */
  readonly consumed: number;
}

export interface FaultyEngine {
  readonly endpoint: string;
  /** Every request so far, in the order in which they were served or lost. */
  readonly requests: readonly EngineRequest[];
  /** Whether the engine is carrying a request out. */
  readonly isWorking: () => boolean;
  /** Imports a module anew, with clients of its own that use this endpoint. */
  under<Module>(load: () => Promise<Module>): Promise<Module>;
}

/**
 * The engine of this test run behind a server that applies the first fault to the first request, the second fault to
 * the second, and so on. Requests after the last fault have none. The server ends with the test.
 */
export async function faultyEngine(faults: Iterable<Fault> = []): Promise<FaultyEngine> {
  const upcoming = faults[Symbol.iterator]();
  const requests: EngineRequest[] = [];
  let inHand = 0;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const upcomingFault: Fault = upcoming.next().value;
    const operation = String(request.headers['x-amz-target']).replace(/^.*\./, '');
    const input = JSON.parse(await text(request));
    const fault = typeof upcomingFault === 'function' ? upcomingFault(input) : upcomingFault;
    const record = (consumed: number) => requests.push({ operation, input, consumed });

    if (fault === 'no response' || fault === 'request lost' || typeof fault === 'object') record(0);
    if (fault === 'no response') return;
    if (fault === 'request lost') return void response.destroy();
    if (typeof fault === 'object') return respondWith(response, fault);

    inHand += 1;
    const { status, body } = await sentToEngine(request, { ...input, ReturnConsumedCapacity: 'TOTAL' });
    inHand -= 1;
    record(consumedUnits(body));
    if (fault === 'response lost') return void response.destroy();
    response.writeHead(status, { 'Content-Type': JSON_TYPE, 'Content-Length': body.length });
    if (fault === undefined) return void response.end(body);
    const half = body.subarray(0, body.length / 2);
    response.write(half, () => fault === 'response cut short' && response.destroy());
  }

  const { endpoint } = await testServer((request, response) => {
    // The client may have closed the connection, which isn't an error of the engine.
    serve(request, response).catch(() => response.destroy());
  });
  const isResponding = Array.isArray(faults) && !faults.some(fault => SILENT.includes(fault));
  if (isResponding) responding.add(endpoint);
  else responding.delete(endpoint);
  return { endpoint, requests, isWorking: () => inHand > 0, under: load => importedWith(endpoint, load) };
}

/** One fault for every request. */
export function* always<const Same>(fault: Same): Generator<Same> {
  for (;;) yield fault;
}

interface PageCuttingEngine {
  /** How many characters of JSON fit on a page. A page has at least one item, unless it is one of the empty ones. */
  pageSize: number;
  /** How many pages were cut, empty ones included. */
  cuts: number;
  /** Imports a module anew, with clients of its own that use this engine. */
  under<Module>(load: () => Promise<Module>): Promise<Module>;
}

/** The continuation of an empty first page. To a client a key is opaque. */
const FIRST_ITEM = { beforeTheFirstItem: { BOOL: true } };

/**
 * The engine of this test run with pages that end after a few items, as DynamoDB's do after 1 MB. Every third page is
 * empty and has a continuation. The server ends with the test.
 */
export async function pageCuttingEngine(): Promise<PageCuttingEngine> {
  let pages = 0;
  const send = async (request: IncomingMessage, input: unknown) =>
    (await sentToEngine(request, input)).body.toString();

  async function cutPage(request: IncomingMessage, input: Input): Promise<string> {
    const { ExclusiveStartKey, ...query } = input;
    const isContinued = JSON.stringify(ExclusiveStartKey) !== JSON.stringify(FIRST_ITEM);
    const start = ExclusiveStartKey && isContinued ? { ExclusiveStartKey } : {};
    pages += 1;
    if (pages % 3 === 0) {
      engine.cuts += 1;
      return JSON.stringify({ Items: [], Count: 0, LastEvaluatedKey: ExclusiveStartKey ?? FIRST_ITEM });
    }
    const whole = await send(request, { ...query, ...start });
    const { Items = [] } = JSON.parse(whole) as { Items?: unknown[] };
    let size = 0;
    const fitting = Items.findIndex(item => {
      size += JSON.stringify(item).length;
      return size > engine.pageSize;
    });
    if (fitting === -1) return whole;
    engine.cuts += 1;
    return send(request, { ...query, ...start, Limit: Math.max(1, fitting) });
  }

  const { endpoint } = await testServer(async (request, response) => {
    const input = JSON.parse(await text(request));
    const isPaged = /\.(Query|Scan)$/.test(String(request.headers['x-amz-target']));
    response.setHeader('Content-Type', JSON_TYPE);
    response.end(await (isPaged ? cutPage(request, input) : send(request, input)));
  });
  responding.add(endpoint);
  const engine = {
    pageSize: 1,
    cuts: 0,
    under: <Module>(load: () => Promise<Module>) => importedWith(endpoint, load),
  };
  return engine;
}

/** Engines that respond in the end: on a busy machine only their clients' deadlines could make a request fail. */
const responding = new Set<string>();

/** Imports a module anew, with clients of its own that use this endpoint until the test ends. */
export async function importedWith<Module>(endpoint: string, load: () => Promise<Module>): Promise<Module> {
  // A client reads its endpoint from the environment at its first request. This request comes before the change, so the
  // clients that the test file itself has imported stay with the engine.
  await dynamoDb.send(new ListTablesCommand({ Limit: 1 }));
  await documents.send(new ListTablesCommand({ Limit: 1 }));
  vi.resetModules();
  stubEndpoint(endpoint);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return load();
}

/**
 * Lets clients that are imported from now on use this endpoint, with the deadline of an operation on AWS if the engine
 * fails for good or is silent.
 */
export function stubEndpoint(endpoint: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  if (!responding.has(endpoint)) vi.stubEnv('DYNAMODB_DEADLINE_MS', String(OPERATION_DEADLINE_MS));
}

const JSON_TYPE = 'application/x-amz-json-1.0';

async function sentToEngine({ headers }: IncomingMessage, input: unknown) {
  const kept = ['content-type', 'x-amz-target', 'x-amz-date', 'authorization'];
  const response = await fetch(inject('dynamoDbEndpoint'), {
    method: 'POST',
    headers: Object.fromEntries(kept.map(name => [name, String(headers[name])])),
    body: JSON.stringify(input),
  });
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()) };
}

function respondWith(response: ServerResponse, { status, type, ...fields }: ErrorResponse): void {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  response.writeHead(status, { 'Content-Type': JSON_TYPE });
  response.end(JSON.stringify({ __type, message: `${type}, injected by the test`, ...fields }));
}

function consumedUnits(body: Buffer): number {
  const { ConsumedCapacity = [] } = JSON.parse(body.toString() || '{}');
  return [ConsumedCapacity].flat().reduce((sum: number, part) => sum + part.CapacityUnits, 0);
}
