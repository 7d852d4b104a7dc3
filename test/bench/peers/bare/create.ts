import { randomUUID } from 'node:crypto';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { shardOf, timeIds } from '../../../../shared/time-id.ts';
import {
  ApiError,
  hasSaneCharacters,
  hasSaneLength,
  isInt64,
  readJsonBody,
  requireScope,
  SAYS,
  STATUSES,
  type Status,
} from '../contract/rules.ts';
import { petFromItem, responding } from './response.ts';

const client = new DynamoDBClient({});
const nextId = timeIds(1);

export const handler = responding(async event => {
  requireScope(event, 'pets:write');
  const contentType = Object.entries(event.headers).find(([name]) => name.toLowerCase() === 'content-type');
  const { name, categoryId, status } = readNewPet(readJsonBody(contentType?.[1], event.body));
  const id = nextId();
  const shard = shardOf(id);
  const item = {
    id: { N: String(id) },
    name: { S: name },
    categoryId: { N: String(categoryId) },
    status: { S: status },
  };
  await client.send(
    new PutItemCommand({
      TableName: process.env.PETS_TABLE,
      Item: {
        shard: { N: String(shard) },
        statusShard: { S: `${status}#${shard}` },
        ...item,
        writeToken: { S: randomUUID() },
      },
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return { status: 201, body: JSON.stringify(petFromItem(item)) };
});

function readNewPet(body: unknown): { name: string; categoryId: bigint; status: string } {
  if (body === undefined) throw new ApiError('invalid_request', 'the body is required');
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new ApiError('invalid_request', `the body ${SAYS.object}`);
  }
  const { name, categoryId, status = 'available' } = body as Record<string, unknown>;
  const faults: string[] = [];
  if (name === undefined) faults.push('name is required');
  else if (typeof name !== 'string') faults.push(`name ${SAYS.name}`);
  else {
    if (!hasSaneLength(name)) faults.push(`name ${SAYS.nameLength}`);
    if (!hasSaneCharacters(name)) faults.push(`name ${SAYS.nameCharacters}`);
  }
  if (categoryId === undefined) faults.push('categoryId is required');
  else if (typeof categoryId !== 'bigint' || !isInt64(categoryId)) faults.push(`categoryId ${SAYS.int64}`);
  if (!STATUSES.includes(status as Status)) faults.push(`status ${SAYS.status}`);
  if (faults.length > 0) throw new ApiError('invalid_request', faults.join('; '));
  return { name, categoryId, status } as { name: string; categoryId: bigint; status: string };
}
