import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/**
 * The part of a Query of the bare client that reads a partition in the order of its numeric sort key `id`, after an id
 * if one is given.
 */
export function idRange(
  partitionKey: string,
  partition: AttributeValue,
  after: bigint | undefined,
  attributeNames: Readonly<Record<string, string>> = {},
) {
  const isAfter = after === undefined ? '' : ' AND id > :after';
  return {
    KeyConditionExpression: `#partition = :partition${isAfter}`,
    ExpressionAttributeNames: { ...attributeNames, '#partition': partitionKey },
    ExpressionAttributeValues: {
      ':partition': partition,
      ...(after !== undefined && { ':after': { N: String(after) } }),
    },
  };
}
