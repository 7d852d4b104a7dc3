import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { inject, onTestFinished } from 'vitest';
import { alwaysAnswers, engineHeaders, importedWith } from './faulty-engine.ts';

interface Page {
  readonly Items?: readonly unknown[];
  readonly LastEvaluatedKey?: unknown;
}

interface PageCuttingEngine {
  /** How many characters of JSON fit on a page. A page holds at least one item, unless it is one of the empty ones. */
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

  async function cutPage(request: IncomingMessage, input: Record<string, unknown>): Promise<string> {
    const { ExclusiveStartKey, ...query } = input;
    const isContinued = JSON.stringify(ExclusiveStartKey) !== JSON.stringify(FIRST_ITEM);
    const start = ExclusiveStartKey && isContinued ? { ExclusiveStartKey } : {};
    pages += 1;
    if (pages % 3 === 0) {
      engine.cuts += 1;
      return JSON.stringify({ Items: [], Count: 0, LastEvaluatedKey: ExclusiveStartKey ?? FIRST_ITEM });
    }
    const whole = await send(request, { ...query, ...start });
    const { Items = [] } = JSON.parse(whole) as Page;
    let size = 0;
    const fitting = Items.findIndex(item => {
      size += JSON.stringify(item).length;
      return size > engine.pageSize;
    });
    if (fitting === -1) return whole;
    engine.cuts += 1;
    return send(request, { ...query, ...start, Limit: Math.max(1, fitting) });
  }

  async function serve(request: IncomingMessage): Promise<string> {
    const input = JSON.parse(await text(request));
    const isPaged = /\.(Query|Scan)$/.test(String(request.headers['x-amz-target']));
    return isPaged ? cutPage(request, input) : send(request, input);
  }

  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/x-amz-json-1.0');
    response.end(await serve(request));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  alwaysAnswers(endpoint);
  const engine: PageCuttingEngine = {
    pageSize: 1,
    cuts: 0,
    under: load => importedWith(endpoint, load),
  };
  return engine;
}

async function send(request: IncomingMessage, input: unknown): Promise<string> {
  const answer = await fetch(inject('dynamoDbEndpoint'), {
    method: 'POST',
    headers: engineHeaders(request),
    body: JSON.stringify(input),
  });
  return answer.text();
}
