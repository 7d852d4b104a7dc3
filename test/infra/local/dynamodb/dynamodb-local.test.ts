import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CreateTableCommand,
  DynamoDBClient,
  ScanCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { expect, onTestFinished, test } from 'vitest';
import { startDynamoDbLocal } from '../../../../infra/local/dynamodb/dynamodb-local.ts';
import { temporaryFolder } from '../temporary-folder.ts';

test('stop ends an engine that is not ready yet', async () => {
  const folder = temporaryFolder();
  const first = startDynamoDbLocal(folder, () => {});
  const second = startDynamoDbLocal(undefined, () => {});
  await Promise.all([first.stop(), second.stop()]);
  await expect(first.endpoint).rejects.toThrow('DynamoDB Local');
  await expect(second.endpoint).rejects.toThrow('DynamoDB Local');
});

test('a folder that cannot be used is an error of one line', async () => {
  const engine = startDynamoDbLocal('/proc/nowhere', () => {});
  onTestFinished(engine.stop);
  await expect(engine.endpoint).rejects.toThrow(/^DynamoDB Local did not start .*[^\n]*$/);
});

/** An engine with its database in this folder, which ends with the test, and a client of it. */
async function engineIn(folder: string, onDied = () => {}) {
  const engine = startDynamoDbLocal(folder, onDied);
  onTestFinished(engine.stop);
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const client = new DynamoDBClient({ endpoint: await engine.endpoint, region: 'us-east-1', credentials });
  onTestFinished(() => client.destroy());
  return { client, stop: engine.stop };
}

test('stop keeps the transactions that were acknowledged just before; the death of the engine is reported', async () => {
  const folder = temporaryFolder();
  const TableName = 'animals';
  const first = await engineIn(folder);
  await first.client.send(
    new CreateTableCommand({
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    }),
  );
  const ids = Array.from({ length: 20 }, (_, number) => String(number));
  await Promise.all(
    ids.map(id => {
      const Put = { TableName, Item: { id: { S: id } } };
      return first.client.send(new TransactWriteItemsCommand({ TransactItems: [{ Put }] }));
    }),
  );
  await first.stop();

  const died = Promise.withResolvers<void>();
  const second = await engineIn(folder, died.resolve);
  const { Items = [] } = await second.client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  expect(Items.map(({ id }) => id?.S).toSorted()).toEqual(ids.toSorted());

  process.kill(Number(readFileSync(join(folder, 'engine.pid'), 'utf8')), 'SIGKILL');
  await died.promise;
  // There is nothing left to stop, which is no error.
  await second.stop();
}, 60_000);
