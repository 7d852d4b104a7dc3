import { type AttributeValue, DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { nextPage, openCursor } from '../contract/headers.ts';
import { ApiError, LIMIT, requireScope, SAYS, STATUSES, type Status } from '../contract/rules.ts';
import { petFromItem, responding } from './response.ts';

const client = new DynamoDBClient({});

export const handler = responding(async event => {
  requireScope(event, 'pets:read');
  const { limit, status, cursor } = readQuery(event);
  const items = await query(limit, status, openCursor(cursor, status));
  const page = items.slice(0, limit);
  const last = page.at(-1)?.id?.N;
  return {
    status: 200,
    body: JSON.stringify(page.map(petFromItem)),
    ...(items.length > limit && last && { headers: { Link: nextPage(event, limit, status, BigInt(last)) } }),
  };
});

function readQuery({ multiValueQueryStringParameters }: APIGatewayProxyEvent) {
  const given = multiValueQueryStringParameters ?? {};
  const faults: string[] = [];
  for (const name of ['limit', 'status', 'cursor']) {
    const [value, ...more] = given[name] ?? [];
    if (value === undefined) continue;
    if (more.length > 0) faults.push(`${name} ${SAYS.repeated}`);
    else if (name === 'limit' && !LIMIT.test(value)) faults.push(`limit ${SAYS.limit}`);
    else if (name === 'status' && !STATUSES.includes(value as Status)) faults.push(`status ${SAYS.status}`);
  }
  if (faults.length > 0) throw new ApiError('invalid_request', faults.join('; '));
  return { limit: Number(given.limit?.[0] ?? 20), status: given.status?.[0], cursor: given.cursor?.[0] };
}

/** Makes the same Query as the service, so that only the code around it differs. */
async function query(
  limit: number,
  status: string | undefined,
  after: bigint | undefined,
): Promise<Record<string, AttributeValue>[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: process.env.PETS_TABLE,
      ...(status && { IndexName: 'byStatus' }),
      ProjectionExpression: 'id, #name, categoryId, #status',
      KeyConditionExpression: `#partition = :partition${after === undefined ? '' : ' AND id > :start'}`,
      ExpressionAttributeNames: {
        '#name': 'name',
        '#status': 'status',
        '#partition': status ? 'statusShard' : 'shard',
      },
      ExpressionAttributeValues: {
        ':partition': status ? { S: `${status}#0` } : { N: '0' },
        ...(after !== undefined && { ':start': { N: String(after) } }),
      },
      Limit: limit + 1,
    }),
  );
  return Items;
}
