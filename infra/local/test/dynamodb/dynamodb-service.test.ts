import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, inject, onTestFinished, test } from 'vitest';
import { dynamoDbService, requiredPermissions } from '../../dynamodb/dynamodb-service.ts';
import { developer, type Principal } from '../../iam/principal.ts';
import { serveEndpoint } from '../../testing/served-endpoint.ts';

/** A client of the AWS endpoint, in front of an engine. */
async function clientOf(engine: string, principal: Principal) {
  const { service, close: closeService } = dynamoDbService({
    endpoint: Promise.resolve(engine),
    accessKeyId: 'secret',
  });
  onTestFinished(closeService);
  const { clientOptions } = await serveEndpoint({ dynamodb: service }, principal);
  const client = new DynamoDBClient(clientOptions);
  onTestFinished(() => client.destroy());
  return client;
}

async function getItem(engine: string, principal: Principal = developer, id = '1') {
  const client = await clientOf(engine, principal);
  return client.send(new GetItemCommand({ TableName: 'Pets', Key: { id: { S: id } } }));
}

async function engineThat(responds: Parameters<typeof createServer>[1]): Promise<string> {
  const engine = createServer(responds ?? (() => {})).listen(0, '127.0.0.1');
  await once(engine, 'listening');
  onTestFinished(() => {
    engine.closeAllConnections();
    engine.close();
  });
  return `http://127.0.0.1:${(engine.address() as AddressInfo).port}`;
}

test('forwards a request with the access key of the engine, and its response unchanged', async () => {
  const engine = await engineThat(async (request, response) => {
    const body = (await request.toArray()).join('');
    const isWhole = body.includes('"Pets"') && request.headers.authorization?.includes('Credential=secret/');
    response.end(JSON.stringify({ Item: { ok: { BOOL: isWhole } } }));
  });
  expect((await getItem(engine)).Item).toEqual({ ok: { BOOL: true } });
});

test('forwards an error of the engine', async () => {
  const engine = await engineThat((request, response) => {
    request.resume();
    response.writeHead(400).end('{"__type":"x#ResourceNotFoundException","message":"no"}');
  });
  await expect(getItem(engine)).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('denies what the role does not allow without asking the engine', async () => {
  const denied = getItem('http://127.0.0.1:1', {
    denial: (action, resource) => `not ${action} on ${resource}`,
  });
  await expect(denied).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: 'not dynamodb:GetItem on arn:aws:dynamodb:us-east-1:000000000000:table/Pets',
    $metadata: { httpStatusCode: 400 },
  });
});

test('a request for nothing, which needs no permission, is refused by the engine', async () => {
  const client = await clientOf(inject('dynamoDbEndpoint'), { denial: () => 'nothing is allowed' });
  const refusal = { name: 'ValidationException' };
  await expect(client.send(new TransactWriteItemsCommand({ TransactItems: [] }))).rejects.toMatchObject(
    refusal,
  );
  await expect(client.send(new BatchGetItemCommand({ RequestItems: {} }))).rejects.toMatchObject(refusal);
});

test('413: a request of more than 16 MB, without asking the engine', async () => {
  await expect(getItem('http://127.0.0.1:1', developer, 'x'.repeat(16 * 1024 * 1024))).rejects.toMatchObject({
    name: 'RequestEntityTooLarge',
  });
});

test('ends the connection when the engine is not running', async () => {
  await expect(getItem('http://127.0.0.1:1')).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('ends the connection when the engine stops during a response', async () => {
  const engine = await engineThat((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-length': '100' }).write('{"Item":', () => response.destroy());
  });
  await expect(getItem(engine)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

const table = (name: string) => `arn:aws:dynamodb:us-east-1:000000000000:table/${name}`;

test.each([
  ['GetItem', { TableName: 'Pets' }, [['GetItem', table('Pets')]]],
  ['GetItem', { TableName: table('Pets') }, [['GetItem', table('Pets')]]],
  ['Query', { TableName: 'Pets', IndexName: 'byStatus' }, [['Query', `${table('Pets')}/index/byStatus`]]],
  [
    'TransactWriteItems',
    {
      TransactItems: [
        { Put: { TableName: 'Pets' } },
        { Update: { TableName: 'Pets' } },
        { Delete: { TableName: 'Orders' } },
        { ConditionCheck: { TableName: 'Keys' } },
      ],
    },
    [
      ['PutItem', table('Pets')],
      ['UpdateItem', table('Pets')],
      ['DeleteItem', table('Orders')],
      ['ConditionCheckItem', table('Keys')],
    ],
  ],
  ['TransactGetItems', { TransactItems: [{ Get: { TableName: 'Pets' } }] }, [['GetItem', table('Pets')]]],
  [
    'BatchWriteItem',
    { RequestItems: { Pets: [], Orders: [] } },
    [
      ['BatchWriteItem', table('Pets')],
      ['BatchWriteItem', table('Orders')],
    ],
  ],
  ['ListTables', {}, [['ListTables', '*']]],
  ['BatchExecuteStatement', { Statements: [] }, [['BatchExecuteStatement', '*']]],
  // Fields of other operations don't count.
  ['GetItem', { TableName: 'Pets', TransactItems: [], RequestItems: {} }, [['GetItem', table('Pets')]]],
  ['GetItem', { TableName: 5 }, [['GetItem', '*']]],
])('%s of %j needs its permissions', (operation, body, expected) => {
  expect(requiredPermissions(operation, JSON.stringify(body))).toEqual(
    expected.map(([action, resource]) => ({ action: `dynamodb:${action}`, resource })),
  );
});
