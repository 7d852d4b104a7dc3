import { randomUUID } from 'node:crypto';
import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { dynamoDb, orUnavailable } from '../aws/dynamodb.ts';
import type { Item, Write } from '../aws/transaction.ts';
import { AUDIT_TABLE } from './audit-table.ts';

/** One change that an operator made: who, what, when, and what came of it. Nothing secret is ever in it. */
export interface AuditEntry {
  readonly requestId: string;
  readonly at: string;
  readonly by: string;
  readonly command: string;
  readonly input: unknown;
  readonly result: unknown;
}

/** The request was carried out before. */
export class AlreadyDone extends Error {
  override readonly name = 'AlreadyDone';
  readonly entry: AuditEntry;

  constructor(entry: AuditEntry) {
    super(`The request ${entry.requestId} was carried out before.`);
    this.entry = entry;
  }
}

export interface AuditLog {
  find(requestId: string): Promise<AuditEntry | undefined>;
  /** The latest changes, the newest first. */
  list(limit: number): Promise<AuditEntry[]>;
  /** The write that records a change; refused with AlreadyDone when the request was carried out before. */
  record(entry: AuditEntry): Write;
}

const LOG = 'changes';

/** The audit log, in the table whose layout is in audit-table.ts. */
export function auditLog(tableName: string): AuditLog {
  return {
    async find(requestId) {
      const { Item } = await orUnavailable(
        dynamoDb.send(
          new GetItemCommand({
            TableName: tableName,
            Key: { requestId: { S: requestId } },
            ConsistentRead: true,
          }),
        ),
      );
      return Item && entryFromItem(Item);
    },

    async list(limit) {
      const { name, partitionKey } = AUDIT_TABLE.timeIndex;
      const { Items = [] } = await orUnavailable(
        dynamoDb.send(
          new QueryCommand({
            TableName: tableName,
            IndexName: name,
            KeyConditionExpression: '#log = :log',
            ExpressionAttributeNames: { '#log': partitionKey },
            ExpressionAttributeValues: { ':log': { S: LOG } },
            ScanIndexForward: false,
            Limit: limit,
          }),
        ),
      );
      return Items.map(entryFromItem);
    },

    record(entry) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...entryItem(entry), log: { S: LOG }, writeToken: { S: writeToken } },
            ConditionExpression: 'attribute_not_exists(requestId)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: (present = {}) =>
          present.writeToken?.S === writeToken ? undefined : new AlreadyDone(entryFromItem(present)),
      };
    },
  };
}

function entryItem({ requestId, at, by, command, input, result }: AuditEntry): Item {
  return {
    requestId: { S: requestId },
    at: { S: at },
    by: { S: by },
    command: { S: command },
    input: { S: JSON.stringify(input) },
    result: { S: JSON.stringify(result) },
  };
}

function entryFromItem({ requestId, at, by, command, input, result }: Item): AuditEntry {
  return {
    requestId: requestId?.S ?? '',
    at: at?.S ?? '',
    by: by?.S ?? '',
    command: command?.S ?? '',
    input: JSON.parse(input?.S ?? 'null'),
    result: JSON.parse(result?.S ?? 'null'),
  };
}
