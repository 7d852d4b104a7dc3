import {
  type AttributeValue,
  ConditionalCheckFailedException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import { hashOf, isWellFormedKey, keyIdOf } from './api-key.ts';
import { API_KEYS_TABLE, type ApiKey, apiKeyFromTexts, IS_ACTIVE, isValid } from './api-key-record.ts';

/** The last use is recorded to within this time, so each key costs at most one write per period. */
const LAST_USE_PRECISION_MS = 5 * 60 * 1000;

/** Why a key may not be used, for the logs: the client gets the same response for all of them. */
export interface Refusal {
  readonly reason: 'malformed' | 'unknown' | 'revoked' | 'expired';
  /** The id that the key has, or would have: part of a hash, which doesn't reveal the key. */
  readonly keyId?: string;
}

/** The authorizer's side of the API keys; the operators' side is api-key-store.ts. */
export interface ApiKeyLookup {
  /** The record of a key that is valid now, and records that it was used; or why it may not be used. */
  use(key: string): Promise<ApiKey | Refusal>;
}

/** Every request may wait for this look-up, so it uses the bare client (dynamodb.ts says what that saves). */
export function apiKeyLookup(
  tableName: string,
  keyPrefix: string,
  now: () => number = Date.now,
): ApiKeyLookup {
  return {
    async use(key) {
      if (!isWellFormedKey(keyPrefix, key)) return { reason: 'malformed' };
      const hash = hashOf(key);
      const apiKey = await recordUse(tableName, hash, now());
      if (apiKey && isValid(apiKey, now())) return apiKey;
      return { reason: reasonFor(apiKey), keyId: keyIdOf(hash) };
    },
  };
}

function reasonFor(apiKey: ApiKey | undefined): Refusal['reason'] {
  if (apiKey === undefined) return 'unknown';
  return apiKey.revokedAt === null ? 'expired' : 'revoked';
}

/**
 * Finds a key and records its use in one call, which as a write sees every earlier write. The update is refused if a use was
 * recorded just now or the key may not be used, and the refusal returns the item as the update would: recording a use never
 * costs an extra call.
 */
async function recordUse(tableName: string, hash: string, nowMs: number): Promise<ApiKey | undefined> {
  const isTheKey = '#hash = :hash';
  const isNotExpired = '(attribute_not_exists(expiresAt) OR expiresAt > :now)';
  const isLastUseOld = '(attribute_not_exists(lastUsedAt) OR lastUsedAt < :old)';
  const update = new UpdateItemCommand({
    TableName: tableName,
    Key: { [API_KEYS_TABLE.partitionKey]: { S: keyIdOf(hash) } },
    UpdateExpression: 'SET lastUsedAt = :now',
    ConditionExpression: [IS_ACTIVE, isTheKey, isNotExpired, isLastUseOld].join(' AND '),
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
  return item?.hash?.S === hash ? apiKeyFromTexts(textsOf(item)) : undefined;
}

function textsOf(item: Record<string, AttributeValue>): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(item).map(([name, { S }]) => [name, S]));
}
