import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { shardOf, timeIds } from '../../../../shared/time-id.ts';
import { ApiError, hasSaneCharacters, hasSaneLength, isInt64, LIMIT, SAYS, STATUSES } from './rules.ts';

const Status = z.enum(STATUSES, SAYS.status);

/** The query of listPets. */
export const ListQuery = z.object({
  limit: z.string().regex(LIMIT, SAYS.limit).transform(Number).default(20),
  status: Status.optional(),
  cursor: z.string().optional(),
});

/** The body of createPet. */
export const NewPet = z.object(
  {
    name: z
      .string(SAYS.name)
      .refine(hasSaneLength, SAYS.nameLength)
      .refine(hasSaneCharacters, SAYS.nameCharacters),
    categoryId: z.bigint(SAYS.int64).refine(isInt64, SAYS.int64),
    status: Status.default('available'),
  },
  SAYS.object,
);
export type NewPet = z.infer<typeof NewPet>;

/** Validates a part of a request; one error names every fault. */
export function valid<Schema extends z.ZodType>(schema: Schema, raw: unknown): z.output<Schema> {
  const result = schema.safeParse(raw);
  if (result.success) return result.data;
  const faults = result.error.issues.map(({ path, message }) => {
    const [field] = path;
    const value = field === undefined ? raw : (raw as Record<PropertyKey, unknown>)[field];
    const says = Array.isArray(value) && field !== undefined ? SAYS.repeated : message;
    return `${field === undefined ? 'the body' : String(field)} ${value === undefined ? 'is required' : says}`;
  });
  throw new ApiError('invalid_request', [...new Set(faults)].join('; '));
}

/** Reads a parameter that is given once as its value. A repeated one stays a list, which no schema accepts. */
export function singleValues(
  parameters: Record<string, string[] | undefined> | null,
): Record<string, unknown> {
  const entries = Object.entries(parameters ?? {});
  return Object.fromEntries(
    entries.map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
  );
}

interface Pet extends NewPet {
  id: bigint;
}

const client = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const TableName = process.env.PETS_TABLE;
const nextId = timeIds(1);

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

/** A page of pets and whether more follow. */
export async function listPets(limit: number, status: string | undefined, after: bigint | undefined) {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      ...PET_ATTRIBUTES,
      ...(status && { IndexName: 'byStatus' }),
      KeyConditionExpression: `#partition = :partition${after === undefined ? '' : ' AND id > :start'}`,
      ExpressionAttributeNames: {
        ...PET_ATTRIBUTES.ExpressionAttributeNames,
        '#partition': status ? 'statusShard' : 'shard',
      },
      ExpressionAttributeValues: {
        ':partition': status ? `${status}#0` : 0,
        ...(after !== undefined && { ':start': after }),
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
