import {
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  DynamoDBClient as SdkClient,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { DynamoDBClient as LeanClient } from '../../../../shared/aws/lean/dynamodb-client.ts';
import { tableLike } from '../../../setup/stack-tables.ts';

const CONFIG = { region: 'us-east-1' };

test('leaves out three pieces of middleware of the SDK', () => {
  const lean = new LeanClient(CONFIG).middlewareStack.identify();
  const leftOut = new SdkClient(CONFIG).middlewareStack.identify().filter(name => !lean.includes(name));
  expect(leftOut.map(name => name.replace(/ .*/, '')).toSorted()).toEqual([
    'getUserAgentMiddleware',
    'loggerMiddleware',
    'recursionDetectionMiddleware',
  ]);
});

/** What a client returns for a write, reads, and a write that is refused with the item that is there. */
async function responses(client: DynamoDBClient) {
  const TableName = await tableLike('ApiKeysTable');
  const Item = {
    id: { S: 'Zoë 🐕' },
    number: { N: '9223372036854775807' },
    list: { L: [{ M: { yes: { BOOL: true } } }, { NULL: true }] },
    set: { SS: ['a', 'b'] },
  };
  const Key = { id: Item.id };
  const isNew = {
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  } as const;
  const put = () => client.send(new PutItemCommand({ TableName, Item, ...isNew }));
  const all = [
    await put(),
    await client.send(new GetItemCommand({ TableName, Key })),
    await client.send(new GetItemCommand({ TableName, Key: { id: { S: 'none' } } })),
    await client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'id = :id',
        ExpressionAttributeValues: { ':id': Item.id },
      }),
    ),
  ];
  const refusal = await put().catch(error => error);
  return {
    outputs: all.map(({ $metadata, ...output }) => ({ ...output, status: $metadata.httpStatusCode })),
    requestIds: all.map(({ $metadata }) => typeof $metadata.requestId),
    refusal: { name: refusal.name, isSdkError: refusal instanceof Error, item: refusal.Item },
  };
}

test('returns what the SDK returns', async () => {
  expect(await responses(new LeanClient(CONFIG))).toEqual(await responses(new SdkClient(CONFIG)));
});
