import type { RequestListener } from 'node:http';
import { text } from 'node:stream/consumers';
import type { HttpRequest } from '@smithy/types';
import { expect, onTestFinished, test, vi } from 'vitest';
import { NodeHttpHandler, streamCollector } from '../../../../shared/aws/lean/node-http-handler.ts';
import { silentServer, testServer } from '../silent-server.ts';

const REQUEST = { protocol: 'http:', hostname: '127.0.0.1', method: 'POST', path: '/', headers: {} };

const portOf = (endpoint: string) => Number(new URL(endpoint).port);

/** Sends a request to a server, by a handler; both end with the test. */
async function sentTo(
  server: RequestListener,
  request: Partial<HttpRequest> = {},
  handler = NodeHttpHandler.create(() => ({})),
): Promise<{ statusCode: number; headers: Record<string, string>; body: string }> {
  const { endpoint } = await testServer(server);
  onTestFinished(() => handler.destroy());
  const { response } = await handler.handle({ ...REQUEST, port: portOf(endpoint), ...request });
  const { statusCode, headers, body } = response;
  return { statusCode, headers, body: Buffer.from(await streamCollector(body)).toString() };
}

test('NodeHttpHandler sends method, path, headers and body, and returns the response', async () => {
  const response = await sentTo(
    async (request, response) => {
      const received = [request.method, request.url, request.headers['x-amz-target'], await text(request)];
      response.writeHead(400, { 'X-Amzn-RequestId': 'id' }).end(received.join(' '));
    },
    { path: '/a', headers: { 'X-Amz-Target': 'GetItem' }, body: '{"é":1}' },
  );
  expect(response).toMatchObject({ statusCode: 400, headers: { 'x-amzn-requestid': 'id' } });
  expect(response.body).toBe('POST /a GetItem {"é":1}');
});

test('NodeHttpHandler sends the parameters of a query percent-encoded, one with several values several times', async () => {
  const { body } = await sentTo((request, response) => void response.end(request.url), {
    path: '/tags',
    query: { arn: 'a:b/c d+e', key: ['x', 'y'], mode: null },
  });
  expect(body).toBe('/tags?arn=a%3Ab%2Fc%20d%2Be&key=x&key=y&mode=');
});

test('streamCollector joins the pieces of a response', async () => {
  const { body } = await sentTo((_, response) => {
    response.write('one ');
    setImmediate(() => response.end('two'));
  });
  expect(body).toBe('one two');
});

test.each<[string, RequestListener]>([
  ['there is no response', () => {}],
  [
    'the response has no body',
    (_, response) => response.writeHead(200, { 'Content-Length': 5 }).flushHeaders(),
  ],
  [
    'the body is not whole',
    (_, response) => void response.writeHead(200, { 'Content-Length': 5 }).write('a'),
  ],
])('NodeHttpHandler ends an attempt at its time-out when %s', async (_, server) => {
  await expect(sentTo(server, {}, NodeHttpHandler.create({ requestTimeout: 50 }))).rejects.toMatchObject({
    name: 'TimeoutError',
  });
});

test.each<[string, RequestListener]>([
  ['before the response', request => request.destroy()],
  [
    'within the body',
    (request, response) => {
      response.writeHead(200, { 'Content-Length': 5 });
      response.write('a', () => request.destroy());
    },
  ],
])('NodeHttpHandler throws when the connection breaks %s', async (_, server) => {
  await expect(sentTo(server)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('NodeHttpHandler opens a connection after a time-out, although others are idle: they may be as silent', async () => {
  // No time passes but that of the frozen request.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const handler = NodeHttpHandler.create({ requestTimeout: 100 });
  onTestFinished(() => handler.destroy());
  const { promise: frozen, resolve: freeze } = Promise.withResolvers<void>();
  const known = new Set<unknown>();
  const held: (() => void)[] = [];
  let isFrozen = false;
  const { endpoint } = await silentServer(({ socket }) => (_, response) => {
    if (isFrozen && known.has(socket)) return freeze();
    known.add(socket);
    if (isFrozen || held.push(() => response.end()) < 3) return isFrozen && response.end();
    for (const respond of held) respond();
  });
  const send = () => handler.handle({ ...REQUEST, port: portOf(endpoint) });
  const responses = await Promise.all([send(), send(), send()]);
  await Promise.all(responses.map(({ response }) => streamCollector(response.body)));
  isFrozen = true;
  const isOver = expect(send()).rejects.toMatchObject({ name: 'TimeoutError' });
  await frozen;
  await vi.advanceTimersByTimeAsync(100);
  await isOver;
  expect((await send()).response.statusCode).toBe(200);
  expect(known.size).toBe(4);
});

test('NodeHttpHandler uses one connection for requests after each other', async () => {
  const handler = NodeHttpHandler.create({ requestTimeout: 60_000 });
  const { endpoint, connections } = await testServer((_, response) => void response.end());
  onTestFinished(() => handler.destroy());
  for (let request = 0; request < 3; request += 1) {
    const { response } = await handler.handle({ ...REQUEST, port: portOf(endpoint) });
    await streamCollector(response.body);
  }
  expect(connections.size).toBe(1);
});
