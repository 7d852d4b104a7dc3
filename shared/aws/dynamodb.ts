// The SDK's client. The functions' bundles contain another one in its place (lean/README.md).
import { DynamoDBClient } from '#dynamodb';
import { required } from '../environment.ts';
import {
  attemptLimits,
  type DeadlineRetries,
  deadlineRetries,
  dynamoDbLimits,
  Unavailable,
} from './retries.ts';

/** The retry strategies of all clients: orUnavailable recognizes the errors of each. */
const strategies: DeadlineRetries[] = [];

/**
 * The bare client, for the hot path only: pets, idempotent creation, the list of orders, the authorizer. It saves 11 KB of a
 * bundle's 190, and 15% of the CPU of a page of 20, over the document client: no item is converted attribute by attribute, and
 * the SDK assembles a command's middleware once rather than for every request, which the document client doesn't allow.
 * Everything else uses the document client (document-client.ts).
 */
export const dynamoDb = dynamoDbClient({ cacheMiddleware: true });

/** A client of DynamoDB with the deadline of this function. The SDK reads the endpoint from the environment. */
export function dynamoDbClient({ cacheMiddleware }: { readonly cacheMiddleware: boolean }): DynamoDBClient {
  const limits = dynamoDbLimits();
  const retries = deadlineRetries(limits);
  strategies.push(retries);
  return new DynamoDBClient({
    region: required('AWS_REGION'),
    retryStrategy: retries,
    cacheMiddleware,
    // Otherwise the SDK would look for each of these in the environment and in profile files on the first request.
    maxAttempts: Number.POSITIVE_INFINITY,
    retryMode: 'standard',
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    endpointDiscoveryEnabled: false,
    requestHandler: attemptLimits(limits.attemptTimeoutMs),
  });
}

/** Throws Unavailable in place of the SDK's error if DynamoDB could not be reached before the deadline. */
export async function orUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw strategies.some(strategy => strategy.gaveUpOn(error))
      ? new Unavailable('DynamoDB did not respond in time.', { cause: error })
      : error;
  }
}
