import {
  type AttributeValue,
  BatchWriteItemCommand,
  DeleteTableCommand,
  DynamoDBClient,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';

/** The most items of one BatchWriteItem. */
const BATCH_LENGTH = 25;

/** To delete a table costs about as much as this many items. */
const MAX_REMOVED_ITEMS = 100;

/** Removes the items of a table. Deletes the table instead if it has many, and returns false then. */
export async function removeItems(
  endpoint: string,
  table: string,
  keyNames: readonly string[],
): Promise<boolean> {
  const client = clientOf(endpoint);
  const { Items: keys = [], LastEvaluatedKey } = await client.send(
    new ScanCommand({
      TableName: table,
      ProjectionExpression: keyNames.map((_, index) => `#${index}`).join(),
      ExpressionAttributeNames: Object.fromEntries(keyNames.map((name, index) => [`#${index}`, name])),
      ConsistentRead: true,
      Limit: MAX_REMOVED_ITEMS,
    }),
  );
  if (LastEvaluatedKey) {
    await client.send(new DeleteTableCommand({ TableName: table }));
    return false;
  }
  for (let first = 0; first < keys.length; first += BATCH_LENGTH) {
    await removeBatch(client, table, keys.slice(first, first + BATCH_LENGTH));
  }
  return true;
}

async function removeBatch(
  client: DynamoDBClient,
  table: string,
  keys: readonly Record<string, AttributeValue>[],
): Promise<void> {
  const { UnprocessedItems = {} } = await client.send(
    new BatchWriteItemCommand({ RequestItems: { [table]: keys.map(Key => ({ DeleteRequest: { Key } })) } }),
  );
  if (Object.keys(UnprocessedItems).length > 0) throw new Error(`The engine left items in ${table}.`);
}

let known: DynamoDBClient | undefined;

function clientOf(endpoint: string): DynamoDBClient {
  known ??= new DynamoDBClient({
    endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  return known;
}
