import {
  DescribeTableCommand,
  DescribeTimeToLiveCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Engine, startEngine } from '../../dynamodb/engine.ts';
import { declaredTables, deployTables } from '../../dynamodb/tables.ts';
import { LocalAwsError } from '../../host/local-aws-error.ts';
import { ENGINE_OF_THE_RUN } from '../../testing/engine.ts';

/** Not the engine of the run: to add an index it waits until it has nothing else to do. */
let engine: Engine;
let endpoint: string;
let client: DynamoDBClient;

beforeAll(async () => {
  engine = startEngine({ name: ENGINE_OF_THE_RUN });
  endpoint = await engine.endpoint;
  client = new DynamoDBClient({ endpoint, region: 'us-east-1', credentials });
});

afterAll(async () => {
  client.destroy();
  await engine.stop();
});

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const attribute = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const key = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
const index = (name: string, attributeName: string) => ({
  IndexName: name,
  KeySchema: key(attributeName),
  Projection: { ProjectionType: 'ALL' },
});

function deploy(physicalId: string, properties: Record<string, unknown>) {
  const type = 'AWS::DynamoDB::Table';
  const resource = { stack: 'Zoo', logicalId: 'Pets', type, physicalId, properties };
  return deployTables({ endpoint, credentials }, declaredTables([resource]));
}

const describeTable = async (TableName: string) =>
  (await client.send(new DescribeTableCommand({ TableName }))).Table;

test('a table is created with its indexes and time to live', async () => {
  await deploy('created', {
    KeySchema: key('id'),
    AttributeDefinitions: [attribute('id'), attribute('status')],
    GlobalSecondaryIndexes: [index('byStatus', 'status')],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
    PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
  });
  expect(await describeTable('created')).toMatchObject({
    KeySchema: key('id'),
    GlobalSecondaryIndexes: [{ IndexName: 'byStatus', KeySchema: key('status') }],
    BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST' },
  });
  const timeToLive = await client.send(new DescribeTimeToLiveCommand({ TableName: 'created' }));
  expect(timeToLive.TimeToLiveDescription?.AttributeName).toBe('expires');
});

test('an existing table keeps its data when indexes are added and removed', async () => {
  const plain = { KeySchema: key('id'), AttributeDefinitions: [attribute('id')] };
  const indexed = {
    ...plain,
    AttributeDefinitions: [attribute('id'), attribute('status')],
    GlobalSecondaryIndexes: [index('byStatus', 'status')],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  };
  await deploy('kept', plain);
  await client.send(new PutItemCommand({ TableName: 'kept', Item: { id: { S: '1' } } }));
  await deploy('kept', indexed);
  await deploy('kept', indexed);
  expect((await describeTable('kept'))?.GlobalSecondaryIndexes).toHaveLength(1);
  await deploy('kept', plain);
  expect((await describeTable('kept'))?.GlobalSecondaryIndexes ?? []).toHaveLength(0);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'kept', Key: { id: { S: '1' } } }));
  expect(Item).toEqual({ id: { S: '1' } });
});

test('two services that deploy the same table at once share it', async () => {
  const table = {
    KeySchema: key('id'),
    AttributeDefinitions: [attribute('id'), attribute('status')],
    GlobalSecondaryIndexes: [index('byStatus', 'status')],
    TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
  };
  await Promise.all([deploy('shared', table), deploy('shared', table)]);
  expect((await describeTable('shared'))?.GlobalSecondaryIndexes).toHaveLength(1);
});

test.each<[what: string, change: object]>([
  ['the keys of the table changed', { KeySchema: key('status'), GlobalSecondaryIndexes: [] }],
  [
    'the keys of the index byStatus of the table changed',
    { GlobalSecondaryIndexes: [index('byStatus', 'id')] },
  ],
])('refuses to change %s, and keeps the data', async (what, change) => {
  const AttributeDefinitions = [attribute('id'), attribute('status')];
  const GlobalSecondaryIndexes = [index('byStatus', 'status')];
  const table = { KeySchema: key('id'), AttributeDefinitions, GlobalSecondaryIndexes };
  await deploy('changed', table);
  await client.send(new PutItemCommand({ TableName: 'changed', Item: { id: { S: '1' } } }));
  const refused = deploy('changed', { ...table, ...change });
  await expect(refused).rejects.toThrow(LocalAwsError);
  await expect(refused).rejects.toThrow(`DynamoDB can't change ${what}. Create an index`);
  await deploy('changed', table);
  const { Item } = await client.send(new GetItemCommand({ TableName: 'changed', Key: { id: { S: '1' } } }));
  expect(Item).toEqual({ id: { S: '1' } });
});

test('the error for a table that the engine rejects names the table', async () => {
  const rejected = deploy('rejected', { KeySchema: key('id'), AttributeDefinitions: [] });
  await expect(rejected).rejects.toThrow(LocalAwsError);
  await expect(rejected).rejects.toThrow('rejects the table rejected: ');
});

test('the error for an engine that does not respond names it', async () => {
  const nowhere = deployTables(
    { endpoint: 'http://127.0.0.1:1', credentials },
    declaredTables([
      {
        stack: 'Zoo',
        logicalId: 'Pets',
        type: 'AWS::DynamoDB::Table',
        physicalId: 'pets',
        properties: { KeySchema: key('id'), AttributeDefinitions: [attribute('id')] },
      },
    ]),
  );
  await expect(nowhere).rejects.toThrow('The DynamoDB engine does not respond to DescribeTable pets');
});
