import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamoDbClient } from './dynamodb-client.ts';

/** An item in plain values. An integer is a number up to 2^53 and a bigint beyond, so none loses a digit. */
export type Item = Readonly<Record<string, unknown>>;

/** The ordinary way to the tables: plain values in and out. The hot path uses the bare client (dynamodb.ts). */
export const documents = DynamoDBDocumentClient.from(
  // The document client refuses a client that caches its middleware: each command converts by middleware of its own.
  dynamoDbClient({ cacheMiddleware: false }),
  { marshallOptions: { removeUndefinedValues: true } },
);

/** The item that an error carries. The document client converts answers, but not errors. */
export function itemInError(attributes: Record<string, AttributeValue> | undefined): Item | undefined {
  return attributes && unmarshall(attributes);
}
