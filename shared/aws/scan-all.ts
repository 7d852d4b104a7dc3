import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from './document-client.ts';
import { orUnavailable } from './dynamodb-client.ts';

/** Every item of a table that is small and that no HTTP operation scans, over as many pages as that takes. */
export async function scanAll(tableName: string): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const page = await orUnavailable(
      documents.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ExclusiveStartKey })),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey);
  return items;
}
