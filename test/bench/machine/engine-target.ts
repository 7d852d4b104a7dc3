import { randomInt, randomUUID } from 'node:crypto';
import { type DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { loadedId } from '../dynamodb/load-pets.ts';
import type { Target } from './mixed-load.ts';

const PET_ATTRIBUTES = {
  ProjectionExpression: 'id, #name, categoryId, #status',
  ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
};

/** Drives the engine directly by the SDK, with the calls that the service makes. */
export function engineTarget(client: DynamoDBClient, TableName: string, pets: number): Target {
  let id = BigInt(loadedId(0)) * 2n;
  return {
    async list() {
      await client.send(
        new QueryCommand({
          TableName,
          ...PET_ATTRIBUTES,
          KeyConditionExpression: '#partition = :partition',
          ExpressionAttributeNames: { ...PET_ATTRIBUTES.ExpressionAttributeNames, '#partition': 'shard' },
          ExpressionAttributeValues: { ':partition': { N: '0' } },
          Limit: 21,
        }),
      );
    },
    async get() {
      await client.send(
        new GetItemCommand({
          TableName,
          Key: { shard: { N: '0' }, id: { N: loadedId(randomInt(pets)) } },
          ...PET_ATTRIBUTES,
          ConsistentRead: true,
        }),
      );
    },
    async create() {
      id += 8192n;
      await client.send(
        new PutItemCommand({
          TableName,
          Item: {
            shard: { N: '0' },
            statusShard: { S: 'available#0' },
            id: { N: String(id) },
            name: { S: 'Rex' },
            categoryId: { N: '1' },
            status: { S: 'available' },
            writeToken: { S: randomUUID() },
          },
          ConditionExpression: 'attribute_not_exists(id)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
    },
  };
}
