import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { required } from '../environment.ts';
import { ATTEMPT_TIMEOUT_MS, patientRetries } from './patient-retries.ts';
import { Unavailable } from './unavailable.ts';

const retries = patientRetries();

/**
 * The bare client, not the document client: half the bytes and a quarter less work per request. Where to find
 * DynamoDB the SDK reads from the environment.
 */
export const dynamoDb = new DynamoDBClient({
  region: required('AWS_REGION'),
  retryStrategy: retries,
  requestHandler: {
    connectionTimeout: ATTEMPT_TIMEOUT_MS,
    requestTimeout: ATTEMPT_TIMEOUT_MS,
    throwOnRequestTimeout: true,
  },
});

// It walks every input and output in order to log them, although nothing is logged: a quarter of a page's CPU.
dynamoDb.middlewareStack.remove('loggerMiddleware');

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
