import { QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from './document-client.ts';
import { readItems } from './item-pages.ts';

/** The items that a query finds: all of them, or the first ones up to this number. */
export function queryItems(query: QueryCommandInput, count?: number): Promise<Item[]> {
  return readItems(start => documents.send(new QueryCommand({ ...query, ...start })), count);
}
