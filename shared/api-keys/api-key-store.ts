import { type AttributeValue, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod/mini';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { generateKey, hashOf, hintOf, isWellFormedKey, keyIdOf } from './api-key.ts';

/** An API key as it is known after its creation. Times are RFC 3339. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  hint: z.string(),
  createdAt: z.string(),
  expiresAt: z.optional(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export const NewApiKey = z.object({
  name: z
    .string('must be a string')
    .check(z.regex(/^\S(.{0,98}\S)?$/su, 'must have 1 to 100 characters, no white space around it')),
  expiresAt: z.optional(
    z.iso.datetime({ offset: true, error: 'must be a time such as 2030-01-31T12:00:00Z' }),
  ),
});
export type NewApiKey = z.infer<typeof NewApiKey>;

/** The API keys, in the table whose layout is in api-key-table.ts. */
export interface ApiKeyStore {
  /** Creates a key. The key itself is in this answer and nowhere else. */
  add(newKey: NewApiKey): Promise<ApiKey & { key: string }>;
  /** The record of a key that is valid now. */
  findValid(key: string): Promise<ApiKey | undefined>;
}

export function apiKeyStore(tableName: string, keyPrefix: string, now: () => number = Date.now): ApiKeyStore {
  return {
    async add({ name, expiresAt }) {
      const key = generateKey(keyPrefix);
      const hash = hashOf(key);
      const apiKey: ApiKey = {
        id: keyIdOf(hash),
        name,
        hint: hintOf(keyPrefix, key),
        createdAt: new Date(now()).toISOString(),
        ...(expiresAt && { expiresAt: new Date(expiresAt).toISOString() }),
      };
      await orUnavailable(
        dynamoDb.send(
          new PutItemCommand({ TableName: tableName, Item: stringAttributes({ ...apiKey, hash }) }),
        ),
      );
      return { ...apiKey, key };
    },

    async findValid(key) {
      if (!isWellFormedKey(keyPrefix, key)) return undefined;
      const hash = hashOf(key);
      const { Item } = await orUnavailable(
        dynamoDb.send(
          // Consistent, so that a key works from the moment of its creation.
          new GetItemCommand({
            TableName: tableName,
            Key: { id: { S: keyIdOf(hash) } },
            ConsistentRead: true,
          }),
        ),
      );
      if (!Item || Item.hash?.S !== hash) return undefined;
      const apiKey = ApiKey.parse(stringValues(Item));
      const isExpired = apiKey.expiresAt !== undefined && Date.parse(apiKey.expiresAt) <= now();
      return isExpired ? undefined : apiKey;
    },
  };
}

function stringAttributes(fields: Record<string, string | undefined>): Record<string, AttributeValue> {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, { S: value }]));
}

function stringValues(item: Record<string, AttributeValue>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(item).map(([name, value]) => [name, value.S]));
}
