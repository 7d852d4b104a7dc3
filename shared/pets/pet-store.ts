import { randomUUID } from 'node:crypto';
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { idRange, readItems } from '../aws/item-pages.ts';
import { Unavailable } from '../aws/retries.ts';
import type { Page, PageRequest } from '../paging.ts';
import { type NewPet, type Pet, PetStatus } from './pet.ts';
import { MAX_ID_DRAWS, petIds, shardOf } from './pet-id.ts';
import { PETS_TABLE, statusShard } from './pet-tables.ts';

type Item = Record<string, AttributeValue>;

export interface PetStore {
  add(newPet: NewPet): Promise<Pet>;
  find(petId: bigint): Promise<Pet | undefined>;
  /** A page in ascending order of id. Its cost depends on its length, not on the size of the table. */
  list(request: PageRequest<PetStatus>): Promise<Page<Pet>>;
}

/**
 * The pets, in the table whose layout is in pet-tables.ts. The number of active shards may be raised, never lowered.
 * This is the hot path, so it uses the bare client (dynamodb.ts says what that saves).
 */
export function petStore(tableName: string, activeShards: number): PetStore {
  const nextId = petIds(activeShards);
  const shards = Array.from({ length: activeShards }, (_, shard) => shard);

  function queryShard(shard: number, { limit, status, after }: PageRequest<PetStatus>): Promise<Item[]> {
    const query = {
      TableName: tableName,
      ...PET_ATTRIBUTES,
      ...(status ? byStatus(status, shard, after) : byId(shard, after)),
    };
    // One more than requested shows whether another page follows.
    return readItems(start => dynamoDb.send(new QueryCommand({ ...query, ...start })), limit + 1);
  }

  return {
    async add(newPet) {
      for (let draw = 0; draw < MAX_ID_DRAWS; draw += 1) {
        const pet = { id: nextId(), ...newPet };
        const writeToken = randomUUID();
        const put = new PutItemCommand({ TableName: tableName, ...newPetItem(pet, writeToken) });
        try {
          await orUnavailable(dynamoDb.send(put));
          return pet;
        } catch (error) {
          if (!(error instanceof ConditionalCheckFailedException)) throw error;
          // The response to this put was lost and the SDK retried it: the stored pet is this one.
          if (error.Item?.writeToken?.S === writeToken) return pet;
        }
      }
      throw new Unavailable(`Each of ${MAX_ID_DRAWS} ids drawn was taken.`);
    },

    async find(petId) {
      const { Item } = await orUnavailable(
        dynamoDb.send(
          new GetItemCommand({
            TableName: tableName,
            Key: { shard: { N: String(shardOf(petId)) }, id: { N: String(petId) } },
            ...PET_ATTRIBUTES,
            ConsistentRead: true,
          }),
        ),
      );
      return Item && petFromItem(Item);
    },

    async list(request) {
      const pages = await Promise.all(shards.map(shard => queryShard(shard, request)));
      const pets = pages.flat().map(petFromItem);
      if (activeShards > 1) pets.sort((left, right) => (left.id < right.id ? -1 : 1));
      return { elements: pets.slice(0, request.limit), hasMore: pets.length > request.limit };
    },
  };
}

const PET_ATTRIBUTES = {
  ProjectionExpression: 'id, #name, categoryId, #status',
  ExpressionAttributeNames: { '#name': 'name', '#status': 'status' },
};

/** The part of a put that adds a pet, on condition that its id is free. */
export function newPetItem(pet: Pet, writeToken: string) {
  const shard = shardOf(pet.id);
  return {
    Item: {
      shard: { N: String(shard) },
      statusShard: { S: statusShard(pet.status, shard) },
      ...petAttributes(pet),
      writeToken: { S: writeToken },
    } satisfies Item,
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

export function petAttributes(pet: Pet): Item {
  return {
    id: { N: String(pet.id) },
    name: { S: pet.name },
    categoryId: { N: String(pet.categoryId) },
    status: { S: pet.status },
  };
}

/** Checks the item by hand: the schema would take three times as long, which is 3 % of the CPU of a page of 100. */
export function petFromItem({ id, name, categoryId, status }: Item): Pet {
  if (
    id?.N === undefined ||
    name?.S === undefined ||
    categoryId?.N === undefined ||
    !isPetStatus(status?.S)
  ) {
    throw new Error(`The item of the pet ${id?.N} is incomplete.`);
  }
  return { id: BigInt(id.N), name: name.S, categoryId: BigInt(categoryId.N), status: status.S };
}

function isPetStatus(text: string | undefined): text is PetStatus {
  return PetStatus.options.some(status => status === text);
}

function byId(shard: number, after: bigint | undefined) {
  return idRange(
    PETS_TABLE.partitionKey,
    { N: String(shard) },
    after,
    PET_ATTRIBUTES.ExpressionAttributeNames,
  );
}

function byStatus(status: PetStatus, shard: number, after: bigint | undefined) {
  const { name, partitionKey } = PETS_TABLE.statusIndex;
  const range = idRange(
    partitionKey,
    { S: statusShard(status, shard) },
    after,
    PET_ATTRIBUTES.ExpressionAttributeNames,
  );
  return { IndexName: name, ...range };
}
