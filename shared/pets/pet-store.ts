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
import type { Write } from '../aws/transaction.ts';
import type { Page, PageRequest } from '../paging.ts';
import { MAX_ID_DRAWS, shardOf, timeIds } from '../time-id.ts';
import type { NewPet, Pet, PetStatus } from './pet.ts';
import { indexAttributes, indexPartitions, PETS_TABLE, type PetFilter, STORED_PET } from './pet-tables.ts';

type Item = Record<string, AttributeValue>;

export interface PetStore {
  add(newPet: NewPet): Promise<Pet>;
  find(petId: bigint): Promise<Pet | undefined>;
  /** A page in ascending order of id. With at most one filter, its cost depends on its length, not on the table's size. */
  list(request: PageRequest<PetFilter>): Promise<Page<Pet>>;
}

/**
 * The pets, in the table whose layout is in pet-tables.ts. The number of active shards may be raised, never lowered.
 * This is the hot path, so it uses the bare client (dynamodb.ts says what that saves).
 */
export function petStore(tableName: string, activeShards: number): PetStore {
  const nextId = timeIds(activeShards);
  const shards = Array.from({ length: activeShards }, (_, shard) => shard);

  function queryShard(shard: number, { limit, after, ...filter }: PageRequest<PetFilter>): Promise<Item[]> {
    const query = { TableName: tableName, ...partitionOf(shard, filter, after) };
    // A limit counts what is read, before the FilterExpression.
    const steps = 'FilterExpression' in query ? { Limit: undefined } : {};
    // One more than requested shows whether another page follows.
    return readItems(start => dynamoDb.send(new QueryCommand({ ...query, ...start, ...steps })), limit + 1);
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
            ...STORED_PET.projection,
            ConsistentRead: true,
          }),
        ),
      );
      return Item && STORED_PET.fromItem(Item);
    },

    async list(request) {
      const pages = await Promise.all(shards.map(shard => queryShard(shard, request)));
      const pets = pages.flat().map(STORED_PET.fromItem);
      if (activeShards > 1) pets.sort((left, right) => (left.id < right.id ? -1 : 1));
      return { elements: pets.slice(0, request.limit), hasMore: pets.length > request.limit };
    },
  };
}

/** The part of a put that adds a pet, on condition that its id is free. */
export function newPetItem(pet: Pet, writeToken: string) {
  const shard = shardOf(pet.id);
  return {
    Item: {
      shard: { N: String(shard) },
      ...indexAttributes(pet, shard),
      ...STORED_PET.attributes(pet),
      writeToken: { S: writeToken },
    } satisfies Item,
    ConditionExpression: 'attribute_not_exists(id)',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

/** The part of a Query that reads the pets of a shard with these values: by the first one's index, filtered by the others. */
function partitionOf(shard: number, filter: PetFilter, after: bigint | undefined) {
  const { projection } = STORED_PET;
  const [indexed] = indexPartitions(filter, shard);
  const range = indexed
    ? { IndexName: indexed.index, ...idRange(indexed.partitionKey, indexed.partition, { after }) }
    : idRange(PETS_TABLE.partitionKey, { N: String(shard) }, { after });
  const names = { ...projection.ExpressionAttributeNames, ...range.ExpressionAttributeNames };
  const query = { ...projection, ...range, ExpressionAttributeNames: names };
  const others = Object.entries(STORED_PET.attributes(filter)).filter(([name]) => name !== indexed?.field);
  if (others.length === 0) return query;
  return {
    ...query,
    FilterExpression: others.map(([name]) => `#${name} = :${name}`).join(' AND '),
    ExpressionAttributeValues: {
      ...range.ExpressionAttributeValues,
      ...Object.fromEntries(others.map(([name, value]) => [`:${name}`, value])),
    },
  };
}

/** The pet's status isn't the one the change starts from, or there is no such pet. */
export class PetNotAsExpected extends Error {
  override readonly name = 'PetNotAsExpected';
  readonly isUnknown: boolean;

  constructor(petId: bigint, present: unknown, expected: PetStatus) {
    const isUnknown = present === undefined;
    super(isUnknown ? `Pet ${petId} doesn't exist.` : `Pet ${petId} is ${present}, not ${expected}.`);
    this.isUnknown = isUnknown;
  }
}

/** Changes of pets that are committed together with other writes, in one transaction. */
export interface PetStatusChanges {
  /** The write that gives a pet another status; refused with PetNotAsExpected. */
  statusChange(petId: bigint, from: PetStatus, to: PetStatus): Write;
}

export function petStatusChanges(tableName: string): PetStatusChanges {
  return {
    statusChange(petId, from, to) {
      const shard = shardOf(petId);
      const indexed = Object.entries(indexAttributes({ status: to }, shard));
      const changes = indexed.map(([attribute]) => `, ${attribute} = :${attribute}`);
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { shard, id: petId },
            UpdateExpression: `SET #status = :to${changes.join('')}`,
            ConditionExpression: '#status = :from',
            ExpressionAttributeNames: { '#status': 'status' },
            ExpressionAttributeValues: {
              ':from': from,
              ':to': to,
              ...Object.fromEntries(indexed.map(([attribute, { S }]) => [`:${attribute}`, S])),
            },
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: present => new PetNotAsExpected(petId, present?.status, from),
      };
    },
  };
}
