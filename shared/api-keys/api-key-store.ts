import { findItem, type Item, scanAll } from '../aws/document-client.ts';
import type { Write } from '../aws/transaction.ts';
import { type ApiKey, apiKeyFromTexts, IS_ACTIVE } from './api-key-record.ts';
import { joinScopes } from './scopes.ts';

/** The operators' side of the API keys, in the table whose layout is in api-key-record.ts. */
export interface ApiKeyStore {
  find(id: string): Promise<ApiKey | undefined>;
  /** All of them, the oldest first. */
  list(): Promise<ApiKey[]>;
  /** The write that adds a key with this hash; refused when another key has its id. */
  addition(apiKey: ApiKey, hash: string): Write;
  /** The write that sets fields of a key, for example `revokedAt`, which revokes it; refused with NotActive. */
  change(id: string, fields: TextFields): Write;
  /** The write that deletes the record of a key that is no longer valid, and never will be again. */
  deletion(apiKey: Pick<ApiKey, 'id'>): Write;
}

/** The fields that are stored as they are. */
type TextFields = { readonly [Field in Exclude<keyof ApiKey, 'id' | 'scopes'>]?: string };

/** There is no such key, or it is revoked already. */
export class NotActive extends Error {
  override readonly name = 'NotActive';
}

export function apiKeyStore(tableName: string): ApiKeyStore {
  return {
    async find(id) {
      const item = await findItem(tableName, { id });
      return item && apiKeyFromTexts(item);
    },

    async list() {
      const apiKeys = (await scanAll(tableName)).map(apiKeyFromTexts);
      return apiKeys.sort((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
    },

    addition: (apiKey, hash) => ({
      item: {
        Put: {
          TableName: tableName,
          Item: { ...apiKeyItem(apiKey), hash },
          ConditionExpression: 'attribute_not_exists(id)',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        },
      },
      refusal: present => (present?.hash === hash ? undefined : new Error(`The id ${apiKey.id} is taken.`)),
    }),
    change(id, fields) {
      const entries = Object.entries(fields);
      return {
        item: {
          Update: {
            TableName: tableName,
            Key: { id },
            UpdateExpression: `SET ${entries.map(([name]) => `#${name} = :${name}`).join(', ')}`,
            ConditionExpression: IS_ACTIVE,
            ExpressionAttributeNames: Object.fromEntries(entries.map(([name]) => [`#${name}`, name])),
            ExpressionAttributeValues: Object.fromEntries(entries.map(([name, text]) => [`:${name}`, text])),
          },
        },
        refusal: () => new NotActive(`No active API key has the id ${id}.`),
      };
    },
    deletion: ({ id }) => ({
      item: { Delete: { TableName: tableName, Key: { id } } },
      refusal: () => undefined,
    }),
  };
}

/** A time that is null has no attribute, which is what the conditions ask for. */
function apiKeyItem({ scopes, expiresAt, lastUsedAt, revokedAt, ...texts }: ApiKey): Item {
  return {
    ...texts,
    scopes: joinScopes(scopes),
    expiresAt: expiresAt ?? undefined,
    lastUsedAt: lastUsedAt ?? undefined,
    revokedAt: revokedAt ?? undefined,
  };
}
