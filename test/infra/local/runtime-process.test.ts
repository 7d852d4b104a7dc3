import { type ChildProcess, fork } from 'node:child_process';
import { on, once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { openDataFolder } from '../../../infra/local/data-folder.ts';
import { startDynamoDbLocal } from '../../../infra/local/dynamodb/dynamodb-local.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { writeZooAssembly } from './zoo-assembly.ts';

const RUN_RUNTIME = new URL('./run-runtime.ts', import.meta.url);

const TABLE = 'Zoo-Table';

const ids = Array.from({ length: 20 }, (_, number) => String(number));

function clientOf(endpoint: string): DynamoDBClient {
  const credentials = { accessKeyId: 'developer', secretAccessKey: 'x' };
  const client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
  onTestFinished(() => client.destroy());
  return client;
}

/** The next message of the process that has this field. */
async function messageOf(child: ChildProcess, name: 'awsEndpoint' | 'line'): Promise<string> {
  for await (const [message] of on(child, 'message', { close: ['exit'] })) {
    if (name in message) return message[name];
  }
  throw new Error(`The process ended without its ${name}.`);
}

/** Writes items in transactions, and stops the engine at once. */
async function writeAndStop(databaseFolder: string): Promise<void> {
  const engine = startDynamoDbLocal(databaseFolder, () => {});
  onTestFinished(engine.stop);
  const client = clientOf(await engine.endpoint);
  await client.send(
    new CreateTableCommand({
      TableName: TABLE,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  await Promise.all(
    ids.map(id => {
      const Put = { TableName: TABLE, Item: { id: { S: id } } };
      return client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    }),
  );
  await engine.stop();
}

test('a stop keeps acknowledged transactions; the death of the engine is reported; the process then still stops by itself', async () => {
  const dataFolder = temporaryFolder();
  const { databaseFolder = '', release } = openDataFolder(dataFolder);
  await writeAndStop(databaseFolder);
  release();

  const child = fork(RUN_RUNTIME, [writeZooAssembly(temporaryFolder()), dataFolder], {
    execArgv: [],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const { Items = [] } = await clientOf(await messageOf(child, 'awsEndpoint')).send(
    new ScanCommand({ TableName: TABLE, ConsistentRead: true }),
  );
  expect(Items.map(({ id }) => id?.S).toSorted()).toEqual(ids.toSorted());

  const reported = messageOf(child, 'line');
  process.kill(Number(readFileSync(join(databaseFolder, 'engine.pid'), 'utf8')), 'SIGKILL');
  expect(await reported).toBe('DynamoDB Local stopped: start again.');
  child.kill('SIGTERM');
  // The process exits by itself: nothing that was started keeps it alive.
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(existsSync(join(dataFolder, 'lock'))).toBe(false);
});
