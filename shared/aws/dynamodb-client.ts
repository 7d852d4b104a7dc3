import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { processVariables, required } from '../environment.ts';
import { DYNAMODB_LIMITS, deadlineRetries } from './deadline-retries.ts';
import { Sha256 } from './sha256.ts';
import { Unavailable } from './unavailable.ts';

/**
 * Multiplies the deadlines where the engine shares a processor with everything else and may stall for a second, as in
 * tests. It is one on AWS and in the local runtime.
 */
const PATIENCE = Number(processVariables('DYNAMODB_PATIENCE') || 1);

const ATTEMPT_TIMEOUT_MS = PATIENCE * DYNAMODB_LIMITS.attemptTimeoutMs;

/** One strategy for all clients, so that orUnavailable recognizes the errors of each of them. */
const retries = deadlineRetries({
  ...DYNAMODB_LIMITS,
  attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
  budgetMs: PATIENCE * DYNAMODB_LIMITS.budgetMs,
});

/** A client of DynamoDB with this service's deadlines. The SDK reads the endpoint from the environment. */
export function dynamoDbClient({ cacheMiddleware }: { readonly cacheMiddleware: boolean }): DynamoDBClient {
  const client = new DynamoDBClient({
    region: required('AWS_REGION'),
    retryStrategy: retries,
    cacheMiddleware,
    // The SDK would otherwise look for each of these in the environment and in profile files at the first request.
    maxAttempts: Number.POSITIVE_INFINITY,
    retryMode: 'standard',
    accountIdEndpointMode: 'disabled',
    authSchemePreference: [],
    useDualstackEndpoint: false,
    useFipsEndpoint: false,
    endpointDiscoveryEnabled: false,
    sha256: Sha256,
    requestHandler: {
      connectionTimeout: ATTEMPT_TIMEOUT_MS,
      requestTimeout: ATTEMPT_TIMEOUT_MS,
      throwOnRequestTimeout: true,
      // The request's time-out ends with the first line of the answer; this one covers the body, too.
      socketTimeout: ATTEMPT_TIMEOUT_MS,
    },
  });
  // The logger walks every input and output although nothing is logged, a quarter of a page's CPU; the user agent is
  // composed anew for every request, another 3 %.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.remove('getUserAgentMiddleware');
  return client;
}

/** Throws Unavailable in place of the SDK's error when DynamoDB could not be reached before the deadline. */
export async function orUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw retries.gaveUpOn(error)
      ? new Unavailable('DynamoDB did not answer in time.', { cause: error })
      : error;
  }
}
