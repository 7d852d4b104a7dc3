import { once } from 'node:events';
import { createServer, type IncomingMessage, type OutgoingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { inject, onTestFinished, vi } from 'vitest';
import { documents } from '../../../shared/aws/document-client.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { OPERATION_DEADLINE_MS } from '../../../shared/aws/retries.ts';

/** The fault of one request; `undefined` is none. */
export type Fault =
  /** The connection breaks before the request reaches the engine. */
  | 'request lost'
  /** The engine carries the request out, and the connection breaks before its answer is sent. */
  | 'answer lost'
  /** As before, but half of the answer is sent. */
  | 'answer cut short'
  /** As before, and the connection stays open: the other half is never sent. */
  | 'answer stalled'
  /** The request does not reach the engine, and the connection stays open. */
  | 'no answer'
  /** The request does not reach the engine, and this is the answer, or the function that makes it of the input. */
  | ErrorAnswer
  | ((input: Readonly<Record<string, unknown>>) => ErrorAnswer)
  | undefined;

/** A request with such a fault ends by the deadline of the client only. */
const SILENT: readonly Fault[] = ['answer stalled', 'no answer'];

export interface ErrorAnswer {
  readonly status: number;
  /** Such as ValidationException. */
  readonly type: string;
  readonly [field: string]: unknown;
}

export interface EngineRequest {
  /** Such as PutItem. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Capacity units, as the engine counts them. */
  readonly consumed: number;
}

export interface FaultyEngine {
  readonly endpoint: string;
  /** Every request so far, in the order in which they were answered or lost. */
  readonly requests: readonly EngineRequest[];
  /** Whether the engine is carrying a request out. */
  readonly isWorking: () => boolean;
  /** Imports a module anew, with clients of its own that use this endpoint. */
  under<Module>(load: () => Promise<Module>): Promise<Module>;
}

/** Engines that answer at last: on a busy machine only their clients' deadlines could make a request fail. */
const answering = new Set<string>();

/** Gives the clients of this engine the long deadline of the test run. */
export function alwaysAnswers(endpoint: string): void {
  answering.add(endpoint);
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

    if (fault === 'no answer' || fault === 'request lost' || typeof fault === 'object') record(0);
    if (fault === 'no answer') return;
    if (fault === 'request lost') return void response.destroy();
    if (typeof fault === 'object') return answerWith(response, fault);

    inHand += 1;
    const answer = await fetch(inject('dynamoDbEndpoint'), {
      method: 'POST',
      headers: engineHeaders(request),
      body: JSON.stringify({ ...input, ReturnConsumedCapacity: 'TOTAL' }),
    });
    const body = Buffer.from(await answer.arrayBuffer());
    inHand -= 1;
    record(consumedUnits(body));
    if (fault === 'answer lost') return void response.destroy();
    response.writeHead(answer.status, {
      'Content-Type': 'application/x-amz-json-1.0',
      'Content-Length': body.length,
    });
    if (fault === undefined) return void response.end(body);
    const half = body.subarray(0, body.length / 2);
    response.write(half, () => fault === 'answer cut short' && response.destroy());
  }

  const server = createServer((request, response) => {
    // The client may have closed the connection, which is no error of the engine.
    serve(request, response).catch(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const isAnswering = Array.isArray(faults) && !faults.some(fault => SILENT.includes(fault));
  if (isAnswering) answering.add(endpoint);
  else answering.delete(endpoint);
  return { endpoint, requests, isWorking: () => inHand > 0, under: load => importedWith(endpoint, load) };
}

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
 * Lets clients that are imported from now on use this endpoint, with the deadlines that they have on AWS if the engine
 * fails for good or is silent.
 */
export function stubEndpoint(endpoint: string): void {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', endpoint);
  if (!answering.has(endpoint)) vi.stubEnv('DYNAMODB_DEADLINE_MS', String(OPERATION_DEADLINE_MS));
}

/** The same fault for every request. */
export function* always<const Same>(fault: Same): Generator<Same> {
  for (;;) yield fault;
}

/** One request in four fails, each in another way. */
export function* everyFourth(...faults: Fault[]): Generator<Fault> {
  for (;;) {
    for (const fault of faults) {
      yield* [undefined, undefined, undefined];
      yield fault;
    }
  }
}

function answerWith(response: ServerResponse, { status, type, ...fields }: ErrorAnswer): void {
  const __type = `com.amazonaws.dynamodb.v20120810#${type}`;
  response.writeHead(status, { 'Content-Type': 'application/x-amz-json-1.0' });
  response.end(JSON.stringify({ __type, message: `${type}, injected by the test`, ...fields }));
}

export function engineHeaders({ headers }: IncomingMessage): Record<string, string> {
  const kept: OutgoingHttpHeaders = {
    'content-type': headers['content-type'],
    'x-amz-target': headers['x-amz-target'],
    'x-amz-date': headers['x-amz-date'],
    authorization: headers.authorization,
  };
  return kept as Record<string, string>;
}

function consumedUnits(body: Buffer): number {
  const { ConsumedCapacity = [] } = JSON.parse(body.toString() || '{}');
  return [ConsumedCapacity].flat().reduce((sum: number, part) => sum + part.CapacityUnits, 0);
}
