import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { documents, type Item } from '../../aws/document-client.ts';
import { orUnavailable } from '../../aws/dynamodb.ts';
import { timeOf } from '../clock.ts';
import { DOMAINS_TABLE } from './domain.ts';

/** Every attached domain is looked at within an hour. */
const KEPT_MS = 2 * 60 * 60 * 1000;

/** A name has 253 characters at most, and an item 400 KB. */
const NAMES_PER_ITEM = 1000;

/**
 * Notes that looks at these domains found nothing new. Each sweep writes an item of the domains table, since writing the time
 * into 10,000 claims every hour would cost more than everything else in the sweeps.
 */
export async function noteLooks(tableName: string, domains: readonly string[], nowMs: number): Promise<void> {
  const at = timeOf(nowMs);
  for (let first = 0; first < domains.length; first += NAMES_PER_ITEM) {
    const Item = {
      [DOMAINS_TABLE.partitionKey]: DOMAINS_TABLE.looksPartitionKey,
      [DOMAINS_TABLE.sortKey]: `${at} ${first}`,
      at,
      names: domains.slice(first, first + NAMES_PER_ITEM),
      [DOMAINS_TABLE.timeToLive]: Math.ceil((nowMs + KEPT_MS) / 1000),
    };
    await orUnavailable(documents.send(new PutCommand({ TableName: tableName, Item })));
  }
}

/** When each domain was last looked at, from the noted looks among these items. */
export function looksIn(items: Iterable<Item>): ReadonlyMap<string, string> {
  const found = [...items].filter(({ domain }) => domain === DOMAINS_TABLE.looksPartitionKey);
  const inOrder = (found as unknown as readonly LooksItem[]).toSorted((one, other) =>
    one.at < other.at ? -1 : 1,
  );
  return new Map(inOrder.flatMap(({ at, names }) => names.map(name => [name, at] as const)));
}

interface LooksItem {
  readonly at: string;
  readonly names: readonly string[];
}
