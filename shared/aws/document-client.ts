import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import {
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { dynamoDbClient, orUnavailable } from './dynamodb.ts';
import { readItems } from './item-pages.ts';

/** An item in plain values. An integer is a number up to 2^53 and a bigint beyond, so none loses a digit. */
export type Item = Readonly<Record<string, unknown>>;

/** The ordinary way to the tables: plain values in and out. The hot path uses the bare client (dynamodb.ts). */
export const documents = DynamoDBDocumentClient.from(
  // The document client refuses a client that caches its middleware, because each command adds its own.
  dynamoDbClient({ cacheMiddleware: false }),
  { marshallOptions: { removeUndefinedValues: true } },
);

/** The item that an error carries. The document client converts responses, but not errors. */
export function itemInError(attributes: Record<string, AttributeValue> | undefined): Item | undefined {
  return attributes && unmarshall(attributes);
}

/** The item with this key, by a consistent read. */
export async function findItem(tableName: string, key: Item): Promise<Item | undefined> {
  const get = new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true });
  return (await orUnavailable(documents.send(get))).Item;
}

/** The items that a query finds: all of them, or the first ones up to this number. */
export function queryItems(query: QueryCommandInput, count?: number): Promise<Item[]> {
  return readItems(start => documents.send(new QueryCommand({ ...query, ...start })), count);
}

/** Every item of a small table that no HTTP operation scans; in parallel parts if its items are large. */
export async function scanAll(tableName: string, parts = 1): Promise<Item[]> {
  const scan = { TableName: tableName, ConsistentRead: true, TotalSegments: parts };
  const found = Array.from({ length: parts }, (_, Segment) =>
    readItems(start => documents.send(new ScanCommand({ ...scan, Segment, ...start }))),
  );
  return (await Promise.all(found)).flat();
}
