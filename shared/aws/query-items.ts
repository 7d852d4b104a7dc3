import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from './document-client.ts';
import { orUnavailable } from './dynamodb-client.ts';

/** The first items that a query finds, over as many pages as that takes: DynamoDB ends a page after 1 MB. */
export async function firstItems(query: QueryCommandInput, limit: number): Promise<Item[]> {
  const items: Item[] = [];
  let ExclusiveStartKey: Record<string, unknown> | undefined;
  do {
    const Limit = limit - items.length;
    const page = await orUnavailable(
      documents.send(new QueryCommand({ ...query, Limit, ...(ExclusiveStartKey && { ExclusiveStartKey }) })),
    );
    items.push(...(page.Items ?? []));
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey && items.length < limit);
  return items;
}
