import { ConditionalCheckFailedException, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeAll, expect, test } from 'vitest';
import { documents, itemInError } from '../../../shared/aws/document-client.ts';
import { dynamoDb } from '../../../shared/aws/dynamodb.ts';
import { tableLike } from '../../setup/stack-tables.ts';

let table: string;
beforeAll(async () => {
  table = await tableLike('ApiKeysTable');
});

async function readBack(item: { id: string; [name: string]: unknown }) {
  await documents.send(new PutCommand({ TableName: table, Item: item }));
  const { Item } = await documents.send(new GetCommand({ TableName: table, Key: { id: item.id } }));
  return Item;
}

test.each([
  [2n ** 63n - 1n, 2n ** 63n - 1n],
  [-(2n ** 63n), -(2n ** 63n)],
  [2n ** 53n + 1n, 2n ** 53n + 1n],
  [2n ** 53n - 1n, 2 ** 53 - 1],
  [7n, 7],
])('keeps every digit of the integer %s', async (integer, read) => {
  expect(await readBack({ id: `integer ${integer}`, integer })).toEqual({
    id: `integer ${integer}`,
    integer: read,
  });
  const Key = { id: { S: `integer ${integer}` } };
  const { Item } = await dynamoDb.send(new GetItemCommand({ TableName: table, Key }));
  expect(Item?.integer).toEqual({ N: String(integer) });
});

test('leaves out what is undefined, in maps too', async () => {
  const item = await readBack({ id: 'undefined', gone: undefined, map: { gone: undefined, kept: 1 } });
  expect(item).toStrictEqual({ id: 'undefined', map: { kept: 1 } });
});

test('returns the item in the error of a refused write in plain values', async () => {
  const item = await readBack({ id: 'refused', map: { amount: 5n, list: ['a'] } });
  const put = new PutCommand({
    TableName: table,
    Item: { id: 'refused' },
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const error = await documents.send(put).catch(error => error);
  expect(error).toBeInstanceOf(ConditionalCheckFailedException);
  expect(itemInError(error.Item)).toEqual(item);
  expect(itemInError(undefined)).toBeUndefined();
});
