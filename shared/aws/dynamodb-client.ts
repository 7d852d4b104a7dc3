import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { processVariables, required } from '../environment.ts';
import {
  type DeadlineRetries,
  DYNAMODB_LIMITS,
  deadlineRetries,
  type RetryLimits,
} from './deadline-retries.ts';
import { collectBody, HttpHandler } from './http-handler.ts';
import { Sha256 } from './sha256.ts';
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
    requestHandler: new HttpHandler(attemptTimeoutMs),
    streamCollector: collectBody,
  });
  // Each of these works on every request without use here. The logger walks every input and output although nothing is
  // logged, a quarter of a page's CPU; the user agent is composed anew for 3 %; recursion detection passes on the trace of
  // an invocation, which DynamoDB does not read.
  client.middlewareStack.remove('loggerMiddleware');
  client.middlewareStack.remove('getUserAgentMiddleware');
  client.middlewareStack.remove('recursionDetectionMiddleware');
  leaveItemsAsParsed(client);
  return client;
}

/** The part of the SDK's protocol that reads answers, as far as it is used here. */
interface AnswerReader {
  readonly deserializer: { needsTransform(schema: unknown): boolean };
}

/**
 * The SDK walks through every attribute of every item in search of binary values, which it would decode. No table of this
 * service has any: the lists and maps of an answer are right as JSON.parse made them.
 */
function leaveItemsAsParsed({ config }: DynamoDBClient): void {
  const { deserializer } = config.protocol as unknown as AnswerReader;
  deserializer.needsTransform = () => false;
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
