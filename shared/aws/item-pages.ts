import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { orUnavailable } from './dynamodb.ts';

/** With the document client, plain values; either way, the key goes back as it came. */
type Key = Record<string, AttributeValue>;

interface ItemPage<Item> {
  readonly Items?: Item[] | undefined;
  readonly LastEvaluatedKey?: Key | undefined;
}

/** Sends the Query or Scan with the parameters of one page. */
type ReadPage<Item> = (page: { Limit?: number; ExclusiveStartKey?: Key }) => Promise<ItemPage<Item>>;

/**
 * The pages of a Query or Scan, up to this number of items. DynamoDB ends a page after 1 MB or earlier, whatever its Limit,
 * and a page may be empty: only a missing LastEvaluatedKey says that nothing follows.
 */
export async function* itemPages<Item>(
  readPage: ReadPage<Item>,
  count = Number.POSITIVE_INFINITY,
): AsyncGenerator<Item[]> {
  let missing = count;
  let ExclusiveStartKey: Key | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await orUnavailable(
      readPage({
        ...(Number.isFinite(missing) && { Limit: missing }),
        ...(ExclusiveStartKey && { ExclusiveStartKey }),
      }),
    );
    yield Items;
    missing -= Items.length;
    ExclusiveStartKey = LastEvaluatedKey;
  } while (ExclusiveStartKey && missing > 0);
}

/** The items of these pages; fewer than this number only if there are no more. */
export async function readItems<Item>(readPage: ReadPage<Item>, count?: number): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of itemPages(readPage, count)) items.push(...page);
  return items;
}

/**
 * The part of a bare client's Query that reads a partition in the order of its numeric sort key `id`, ascending after an id or
 * descending before one.
 */
export function idRange(
  partitionKey: string,
  partition: AttributeValue,
  { after, before }: { after?: bigint | undefined; before?: bigint | undefined },
) {
  const start = after ?? before;
  const range = start === undefined ? '' : ` AND id ${after === undefined ? '<' : '>'} :start`;
  return {
    KeyConditionExpression: `#partition = :partition${range}`,
    ExpressionAttributeNames: { '#partition': partitionKey },
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(start !== undefined && { ':start': { N: String(start) } }),
    },
  };
}
