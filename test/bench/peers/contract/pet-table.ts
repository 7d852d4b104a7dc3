import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { petIds, shardOf } from '../../../../shared/pets/pet-id.ts';
import type { NewPet } from './requests.ts';

export interface Pet extends NewPet {
  id: bigint;
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.PETS_TABLE;
const nextId = petIds(1);

const PET_ATTRIBUTES = {
  ProjectionExpression: 'id, #name, categoryId, #status',
  ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
};

export async function addPet(newPet: NewPet): Promise<Pet> {
  const pet = { id: nextId(), ...newPet };
  const shard = shardOf(pet.id);
  await client.send(
    new PutCommand({
      TableName,
      Item: { shard, statusShard: `${pet.status}#${shard}`, ...pet, writeToken: randomUUID() },
      ConditionExpression: 'attribute_not_exists(id)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }),
  );
  return pet;
}

export async function findPet(id: bigint): Promise<Pet | undefined> {
  const { Item } = await client.send(
    new GetCommand({ TableName, Key: { shard: shardOf(id), id }, ...PET_ATTRIBUTES, ConsistentRead: true }),
  );
  return Item && petFrom(Item);
}

/** A page of animals and whether more follow. */
export async function listPets(limit: number, status: string | undefined, after: bigint | undefined) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      ...PET_ATTRIBUTES,
      ...(status && { IndexName: 'byStatus' }),
      KeyConditionExpression: `#partition = :partition${after === undefined ? '' : ' AND id > :after'}`,
      ExpressionAttributeNames: {
        ...PET_ATTRIBUTES.ExpressionAttributeNames,
        '#partition': status ? 'statusShard' : 'shard',
      },
      ExpressionAttributeValues: {
        ':partition': status ? `${status}#0` : 0,
        ...(after !== undefined && { ':after': after }),
      },
      Limit: limit + 1,
    }),
  );
  return { pets: Items.slice(0, limit).map(petFrom), hasMore: Items.length > limit };
}

/** Puts the fields in the order of the interface, because DynamoDB returns attributes in any order. */
function petFrom({ id, name, categoryId, status }: Record<string, unknown>): Pet {
  return { id, name, categoryId, status } as Pet;
}
