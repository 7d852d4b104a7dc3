import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { canBeGuarded, guardDynamoDb } from '../../../../infra/local/lambda/dynamodb-guard.ts';
import type { PermissionQuestion } from '../../../../infra/local/lambda/execution-environment.ts';

const TABLE = 'arn:aws:dynamodb:us-east-1:000000000000:table/Pets';
const GET_ITEM = { TableName: 'Pets', Key: { id: { S: '1' } } };

/** Decides about a question. Undefined allows what is asked. */
type Role = (question: PermissionQuestion) => string | undefined;

/** An engine that answers with the requests it has received, and a guard in front of it. */
async function guardedEngine(role: Role = () => undefined) {
  const received: string[] = [];
  const server = createServer(async (message, response) => {
    received.push((await message.toArray()).join(''));
    response.end(JSON.stringify({ Item: { requests: { N: String(received.length) } } }));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const endpoint = `http://127.0.0.1:${port}`;
  const questions: PermissionQuestion[] = [];
  const guard = guardDynamoDb(endpoint, question => {
    questions.push(question);
    // The main thread answers later, too.
    setImmediate(() => guard.decide(question.question, role(question)));
  });
  const client = new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'KEY', secretAccessKey: 'x' },
    maxAttempts: 1,
  });
  onTestFinished(() => {
    client.destroy();
    guard.end();
    server.closeAllConnections();
    server.close();
  });
  const getItem = (TableName = 'Pets') => client.send(new GetItemCommand({ ...GET_ITEM, TableName }));
  return { port, endpoint, guard, received, questions, getItem };
}

/** A signed request as it is on the wire. */
function rawRequest(body: string, headers: readonly string[] = []): string {
  return [
    'POST / HTTP/1.1',
    'Host: 127.0.0.1',
    'X-Amz-Target: DynamoDB_20120810.GetItem',
    'Authorization: AWS4-HMAC-SHA256 Credential=KEY/20260131/us-east-1/dynamodb/aws4_request, Signature=x',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
}

/** Writes pieces one after the other, and reads until this many answers have come. */
async function exchange(port: number, pieces: readonly string[], answers: number): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => {
    socket.destroy();
  });
  for (const piece of pieces) await new Promise(written => socket.write(piece, written));
  let read = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    read += chunk;
    if (read.split('HTTP/1.1 ').length > answers && /\}$|0\r\n\r\n$/.test(read)) break;
  }
  return read;
}

test('an allowed request reaches the engine unchanged; the same permission is asked for once', async () => {
  const { getItem, received, questions } = await guardedEngine();
  expect((await getItem()).Item).toEqual({ requests: { N: '1' } });
  expect((await getItem()).Item).toEqual({ requests: { N: '2' } });
  expect(received.map(body => JSON.parse(body))).toEqual([GET_ITEM, GET_ITEM]);
  expect(questions).toEqual([
    { question: 0, accessKeyId: 'KEY', permissions: [{ action: 'dynamodb:GetItem', resource: TABLE }] },
  ]);
});

test('a denied request does not reach the engine, and the connection goes on', async () => {
  const isPets: Role = ({ permissions }) =>
    permissions[0]?.resource === TABLE ? undefined : `not on ${permissions[0]?.resource}`;
  const { getItem, received } = await guardedEngine(isPets);
  for (let time = 1; time <= 2; time += 1) {
    await expect(getItem('Orders')).rejects.toMatchObject({
      name: 'AccessDeniedException',
      message: 'not on arn:aws:dynamodb:us-east-1:000000000000:table/Orders',
      $metadata: { httpStatusCode: 400, requestId: expect.any(String) },
    });
  }
  expect(received).toEqual([]);
  expect((await getItem()).Item).toEqual({ requests: { N: '1' } });
});

test('a permission is asked for again after a deployment', async () => {
  const { guard, getItem, questions } = await guardedEngine();
  await getItem();
  guard.forgetDecisions();
  await getItem();
  expect(questions).toHaveLength(2);
});

test('a request whose connection ends before the decision is not sent', async () => {
  const { port, guard, received, questions, getItem } = await guardedEngine();
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(rawRequest(JSON.stringify({ TableName: 'Pets', Limit: 1 })));
  socket.destroy();
  await once(socket, 'close');
  guard.decide(questions[0]?.question ?? 0, undefined);
  await getItem();
  expect(received.map(body => JSON.parse(body))).toEqual([GET_ITEM]);
});

test.each([
  ['http://127.0.0.1:8000', true],
  ['http://localhost', true],
  ['https://127.0.0.1:8000', false],
  ['http://dynamodb.example:8000', false],
  ['http://[::1]:8000', false],
])('functions that call the engine %s can be guarded: %s', (engine, expected) => {
  expect(canBeGuarded(engine)).toBe(expected);
});

test('a request is checked as a whole, wherever it was cut', async () => {
  const { port, received } = await guardedEngine();
  const body = JSON.stringify({ ...GET_ITEM, Key: { id: { S: 'Löwe' } } });
  const whole = rawRequest(body);
  const cuts = Array.from({ length: 12 }, (_, cut) => Math.floor((cut * whole.length) / 12));
  for (const cut of cuts) await exchange(port, [whole.slice(0, cut), whole.slice(cut)], 1);
  expect(received).toEqual(cuts.map(() => body));
});

test('each of two requests in one piece is checked', async () => {
  const { port, received } = await guardedEngine(({ permissions }) =>
    permissions[0]?.resource === TABLE ? undefined : 'denied',
  );
  const orders = JSON.stringify({ TableName: 'Orders' });
  const both = rawRequest(JSON.stringify(GET_ITEM)) + rawRequest(orders);
  expect(await exchange(port, [both], 2)).toContain('{"__type":"AccessDeniedException","message":"denied"}');
  expect(received).toEqual([JSON.stringify(GET_ITEM)]);
});

test('a request that is not signed for DynamoDB is refused', async () => {
  const { port, received } = await guardedEngine();
  for (const raw of [
    rawRequest('{}').replace('/dynamodb/', '/lambda/'),
    rawRequest('{}').replace(/Authorization.*\r\n/, ''),
  ]) {
    expect(await exchange(port, [raw], 1)).toContain('"__type":"MissingAuthenticationTokenException"');
  }
  expect(received).toEqual([]);
});

test('a request of more than 16 MB is refused', async () => {
  const { port, received } = await guardedEngine();
  const raw = rawRequest(JSON.stringify({ TableName: 'Pets', padding: 'x'.repeat(16 * 1024 * 1024) }));
  expect(await exchange(port, [raw], 1)).toContain('"__type":"ValidationException"');
  expect(received).toEqual([]);
});

test('a request whose end cannot be found ends the connection', async () => {
  const { endpoint, received } = await guardedEngine();
  const sent = request(endpoint, { method: 'POST', headers: { 'Transfer-Encoding': 'chunked' } });
  sent.end('{}');
  const [error] = await once(sent, 'error');
  expect(error.message).toBe('DynamoDB is called with Content-Length, not with Transfer-Encoding.');
  expect(received).toEqual([]);
});

test('connections to other servers are left alone', async () => {
  const other = createServer((_, response) => response.end('other')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => {
    other.closeAllConnections();
    other.close();
  });
  const { questions } = await guardedEngine();
  const answer = await fetch(`http://127.0.0.1:${(other.address() as AddressInfo).port}`);
  expect([await answer.text(), questions]).toEqual(['other', []]);
});
