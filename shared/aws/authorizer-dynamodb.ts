import { AUTHORIZER_LIMITS } from './deadline-retries.ts';
import { dynamoDbClient } from './dynamodb-client.ts';

/** The bare client (dynamodb.ts) with the deadlines of the authorizer. */
export const authorizerDynamoDb = dynamoDbClient({ cacheMiddleware: true, limits: AUTHORIZER_LIMITS });
