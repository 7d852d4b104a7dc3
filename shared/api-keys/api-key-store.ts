import {
  type AttributeValue,
  ConditionalCheckFailedException,
  GetItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { scanAll } from '../aws/scan-all.ts';
import type { Item, Write } from '../aws/transaction.ts';
import { hashOf, isWellFormedKey, keyIdOf } from './api-key.ts';
import { Scope } from './scopes.ts';

const Time = z.nullable(z.string());

/** An API key as it is known after its creation. Times are RFC 3339, in UTC. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The beginning and the last four characters of the key. */
  hint: z.string(),
  scopes: z.array(Scope),
  createdAt: z.string(),
  expiresAt: Time,
  lastUsedAt: Time,
  revokedAt: Time,
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Last use is known to within this time; each key costs one write in it, however often it is used. */
const LAST_USE_PRECISION_MS = 5 * 60 * 1000;

/** The API keys, in the table whose layout is in api-key-table.ts. */
export interface ApiKeyStore {
  /** The record of a key that is valid now; notes that it was used. */
  use(key: string): Promise<ApiKey | undefined>;
  find(id: string): Promise<ApiKey | undefined>;
  /** All of them, the oldest first. */
  list(): Promise<ApiKey[]>;
  /** The write that adds a key of this hash, which API Gateway knows by another id. */
  addition(apiKey: ApiKey, hash: string): Write;
  /** The write that ends a key at once, unless that happened before. */
  revocation(id: string, at: string): Write;
  /** The write that lets a valid key expire. */
  expiry(id: string, at: string): Write;
}

/** The key is not there, or is revoked already. */
export class NotActive extends Error {
  override readonly name = 'NotActive';
}

export function apiKeyStore(tableName: string, keyPrefix: string, now: () => number = Date.now): ApiKeyStore {
  const change = (id: string, attribute: 'revokedAt' | 'expiresAt', at: string): Write => ({
    item: {
      Update: {
        TableName: tableName,
        Key: { id: { S: id } },
        UpdateExpression: `SET ${attribute} = :at`,
        ConditionExpression: IS_ACTIVE,
        ExpressionAttributeValues: { ':at': { S: at } },
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      },
    },
    refusal: present => {
      // Of the two only a revocation makes its own condition fail.
      const isThisRevocation = attribute === 'revokedAt' && present?.revokedAt?.S === at;
      return isThisRevocation ? undefined : new NotActive(`There is no active key ${id}.`);
    },
  });

  return {
    async use(key) {
      if (!isWellFormedKey(keyPrefix, key)) return undefined;
      const hash = hashOf(key);
      const apiKey = await noteUse(tableName, hash, now());
      return apiKey && isValid(apiKey, now()) ? apiKey : undefined;
    },

    async find(id) {
      const { Item } = await orUnavailable(
        dynamoDb.send(
          new GetItemCommand({ TableName: tableName, Key: { id: { S: id } }, ConsistentRead: true }),
        ),
      );
      return Item && apiKeyFromItem(Item);
    },

    async list() {
      const apiKeys = (await scanAll(tableName)).map(apiKeyFromItem);
      return apiKeys.sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
    },

    addition: (apiKey, hash) => ({
      item: {
        Put: {
          TableName: tableName,
          Item: { ...apiKeyItem(apiKey), hash: { S: hash } },
          ConditionExpression: 'attribute_not_exists(id)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: present =>
        present?.hash?.S === hash ? undefined : new Error(`The id ${apiKey.id} is taken.`),
    }),
    revocation: (id, at) => change(id, 'revokedAt', at),
    expiry: (id, at) => change(id, 'expiresAt', at),
  };
}

const IS_ACTIVE = 'attribute_exists(id) AND attribute_not_exists(revokedAt)';

/**
 * Looks a key up and notes its use in one call: the update is refused when the use was noted just now or the key may
 * not be used, and the refusal brings the record along as the update would. So noting never costs a call of its own.
 */
async function noteUse(tableName: string, hash: string, nowMs: number): Promise<ApiKey | undefined> {
  const isTheKey = '#hash = :hash';
  const isNotExpired = '(attribute_not_exists(expiresAt) OR expiresAt > :now)';
  const isNoteOld = '(attribute_not_exists(lastUsedAt) OR lastUsedAt < :old)';
  const update = new UpdateItemCommand({
    TableName: tableName,
    Key: { id: { S: keyIdOf(hash) } },
    UpdateExpression: 'SET lastUsedAt = :now',
    ConditionExpression: [IS_ACTIVE, isTheKey, isNotExpired, isNoteOld].join(' AND '),
    ExpressionAttributeNames: { '#hash': 'hash' },
    ExpressionAttributeValues: {
      ':hash': { S: hash },
      ':now': { S: new Date(nowMs).toISOString() },
      ':old': { S: new Date(nowMs - LAST_USE_PRECISION_MS).toISOString() },
    },
    ReturnValues: 'ALL_OLD',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  const item = await orUnavailable(dynamoDb.send(update)).then(
    ({ Attributes }) => Attributes,
    error => {
      if (error instanceof ConditionalCheckFailedException) return error.Item;
      throw error;
    },
  );
  return item?.hash?.S === hash ? apiKeyFromItem(item) : undefined;
}

export function isValid({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/** A time that is not there yet has no attribute. */
function apiKeyItem({ scopes, ...fields }: ApiKey): Item {
  const texts: Record<string, string | null> = { ...fields, scopes: scopes.join(' ') };
  const attributes: [string, AttributeValue][] = [];
  for (const [name, value] of Object.entries(texts)) {
    if (value !== null) attributes.push([name, { S: value }]);
  }
  return Object.fromEntries(attributes);
}

function apiKeyFromItem({
  id,
  name,
  hint,
  scopes,
  createdAt,
  expiresAt,
  lastUsedAt,
  revokedAt,
}: Item): ApiKey {
  return ApiKey.parse({
    id: id?.S,
    name: name?.S,
    hint: hint?.S,
    scopes: scopes?.S?.split(' '),
    createdAt: createdAt?.S,
    expiresAt: expiresAt?.S ?? null,
    lastUsedAt: lastUsedAt?.S ?? null,
    revokedAt: revokedAt?.S ?? null,
  });
}
