import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { required } from '../environment.ts';
import { ATTEMPT_TIMEOUT_MS, deadlineRetries } from './deadline-retries.ts';
import { Sha256 } from './sha256.ts';
import { Unavailable } from './unavailable.ts';

const retries = deadlineRetries();

/**
 * The bare client, not the document client: half the bytes and a quarter less work per request. Where to find
 * DynamoDB the SDK reads from the environment.
 */
export const dynamoDb = new DynamoDBClient({
  region: required('AWS_REGION'),
  retryStrategy: retries,
  // The middleware of a command is put together once, not for every request: a tenth of a request's CPU.
  cacheMiddleware: true,
  // Each of these is otherwise looked for in the environment and in profile files during the first request.
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
    // The request's time-out ends with the first line of the answer; this one holds until its last byte.
    socketTimeout: ATTEMPT_TIMEOUT_MS,
  },
});

// The logger walks every input and output although nothing is logged, a quarter of a page's CPU; the user agent is
// composed anew for every request, another 3 %.
dynamoDb.middlewareStack.remove('loggerMiddleware');
dynamoDb.middlewareStack.remove('getUserAgentMiddleware');

/** Throws Unavailable in place of what the SDK throws when DynamoDB could not be reached in time. */
export async function orUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw retries.gaveUpOn(error)
      ? new Unavailable('DynamoDB did not answer in time.', { cause: error })
      : error;
  }
}
