import { DynamoDBClient } from '#dynamodb';
import { processVariables, required } from '../environment.ts';
import {
  type DeadlineRetries,
  DYNAMODB_LIMITS,
  deadlineRetries,
  type RetryLimits,
} from './deadline-retries.ts';
import { Unavailable } from './unavailable.ts';

/**
 * Multiplies the deadlines where the engine shares a processor with everything else and may stall for a second, as in
 * tests. It is one on AWS, and in the local runtime unless --patience says otherwise.
 */
const PATIENCE = Number(processVariables('DYNAMODB_PATIENCE') || 1);

/** The strategies of all clients: orUnavailable recognizes the errors of each of them. */
const strategies: DeadlineRetries[] = [];

interface ClientOptions {
  readonly cacheMiddleware: boolean;
  readonly limits?: RetryLimits;
}

/** A client of DynamoDB with this service's deadlines. The SDK reads the endpoint from the environment. */
export function dynamoDbClient({ cacheMiddleware, limits = DYNAMODB_LIMITS }: ClientOptions): DynamoDBClient {
  const attemptTimeoutMs = PATIENCE * limits.attemptTimeoutMs;
  const retries = deadlineRetries({ ...limits, attemptTimeoutMs, budgetMs: PATIENCE * limits.budgetMs });
  strategies.push(retries);
  return new DynamoDBClient({
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
    requestHandler: {
      throwOnRequestTimeout: true,
      requestTimeout: attemptTimeoutMs,
      // The time-outs of a connection that is not established, and of a body that stalls.
      connectionTimeout: attemptTimeoutMs,
      socketTimeout: attemptTimeoutMs,
    },
  });
}

/** Throws Unavailable in place of the SDK's error when DynamoDB could not be reached before the deadline. */
export async function orUnavailable<Output>(call: Promise<Output>): Promise<Output> {
  try {
    return await call;
  } catch (error) {
    throw strategies.some(strategy => strategy.gaveUpOn(error))
      ? new Unavailable('DynamoDB did not answer in time.', { cause: error })
      : error;
  }
}
