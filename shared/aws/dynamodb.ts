import { OPERATION_LIMITS } from './deadline-retries.ts';
import { dynamoDbClient } from './dynamodb-client.ts';

/**
 * The bare client, for the hot path only: pets, idempotent creation, listOrders; the authorizer has one with deadlines
 * of its own (authorizer-dynamodb.ts). Compared with the document client it saves 11 KB of a bundle's 190 and 15 % of the
 * CPU of a page of 20: no item is converted attribute by attribute, and the SDK puts the middleware of a command together
 * once instead of for every request, which the document client does not allow. Everything else uses the document client
 * (document-client.ts).
 */
export const dynamoDb = dynamoDbClient({ cacheMiddleware: true, limits: OPERATION_LIMITS });
