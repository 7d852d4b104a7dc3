import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from './dynamodb.ts';
import type { Item } from './transaction.ts';

/** Every item of a table that is small and read by operators only, however many answers that takes. */
export async function scanAll(tableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const page = await orUnavailable(
      dynamoDb.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey })),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}
