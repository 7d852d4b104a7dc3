import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from './document-client.ts';
import { readItems } from './item-pages.ts';

/** Every item of a table that is small and that no HTTP operation scans. */
export function scanAll(tableName: string): Promise<Item[]> {
  return readItems(start =>
    documents.send(new ScanCommand({ TableName: tableName, ConsistentRead: true, ...start })),
  );
}
