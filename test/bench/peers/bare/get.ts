import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { shardOf } from '../../../../shared/time-id.ts';
import { deprecation } from '../contract/headers.ts';
import { ApiError, petIdFrom, requireScope } from '../contract/rules.ts';
import { petFromItem, responding } from './response.ts';

const client = new DynamoDBClient({});

export const handler = responding(async event => {
  requireScope(event, 'pets:read');
  const id = petIdFrom(decodedOrAsSent(event.pathParameters?.petId ?? ''));
  const item = id === undefined ? undefined : await find(id);
  if (!item) throw new ApiError('not_found', 'There is no animal with this id.');
  const pet = petFromItem(item);
  return { status: 200, body: JSON.stringify(pet), headers: deprecation(event, pet.status) };
}, deprecation);

async function find(id: bigint) {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName: process.env.PETS_TABLE,
      Key: { shard: { N: String(shardOf(id)) }, id: { N: String(id) } },
      ProjectionExpression: 'id, #name, categoryId, #status',
      ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
      ConsistentRead: true,
    }),
  );
  return Item;
}

function decodedOrAsSent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
