import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { CommittedByOther } from '../aws/bare-transaction.ts';
import { findItem, queryItems } from '../aws/document-client.ts';
import type { Write } from '../aws/transaction.ts';
import { AUDIT_TABLE } from './audit-table.ts';

/** One change that an operator made: who, what, when, and its result. No secret is part of it. */
const AuditEntry = z.object({
  requestId: z.string(),
  at: z.string(),
  /** The ARN of whoever sent the payload, as IAM knows it; UNVERIFIED without a proof. */
  by: z.string(),
  /** Who the sender claims to be, unverified. */
  claimedBy: z.nullable(z.string()),
  command: z.string(),
  input: z.unknown(),
  /** A brief list leaves it out. */
  result: z.optional(z.unknown()),
});
export type AuditEntry = Readonly<z.infer<typeof AuditEntry>>;

/** The request was carried out before. */
export class AlreadyDone extends CommittedByOther {
  override readonly name = 'AlreadyDone';
  readonly entry: AuditEntry;

  constructor(entry: AuditEntry) {
    super(`The request ${entry.requestId} was carried out before.`);
    this.entry = entry;
  }
}

export interface AuditLog {
  find(requestId: string): Promise<AuditEntry | undefined>;
  /** The latest changes up to a time, newest first; if brief, without their results. */
  list(
    limit: number,
    options?: { readonly until?: string | undefined; readonly brief?: boolean | undefined },
  ): Promise<AuditEntry[]>;
  /** The write that records a change; refused with AlreadyDone when the request was carried out before. */
  record(entry: AuditEntry): Write;
}

const LOG = 'changes';

const BRIEF_FIELDS = ['requestId', 'at', 'by', 'claimedBy', 'command', 'input'] as const;

/** The audit log, in the table whose layout is in audit-table.ts. */
export function auditLog(tableName: string): AuditLog {
  return {
    async find(requestId) {
      const item = await findItem(tableName, { requestId });
      return item && AuditEntry.parse(item);
    },

    async list(limit, { until, brief = false } = {}) {
      const { name, partitionKey, sortKey } = AUDIT_TABLE.timeIndex;
      const newestFirst = {
        TableName: tableName,
        IndexName: name,
        KeyConditionExpression: `#log = :log${until === undefined ? '' : ' AND #at <= :until'}`,
        ExpressionAttributeNames: {
          '#log': partitionKey,
          ...(until !== undefined && { '#at': sortKey }),
          ...(brief && Object.fromEntries(BRIEF_FIELDS.map(field => [`#${field}`, field]))),
        },
        ExpressionAttributeValues: { ':log': LOG, ...(until !== undefined && { ':until': until }) },
        ...(brief && { ProjectionExpression: BRIEF_FIELDS.map(field => `#${field}`).join(', ') }),
        ScanIndexForward: false,
      };
      return (await queryItems(newestFirst, limit)).map(item => AuditEntry.parse(item));
    },

    record(entry) {
      const writeToken = randomUUID();
      return {
        item: {
          Put: {
            TableName: tableName,
            Item: { ...entry, log: LOG, writeToken },
            ConditionExpression: 'attribute_not_exists(requestId)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          },
        },
        refusal: (present = {}) =>
          present.writeToken === writeToken ? undefined : new AlreadyDone(AuditEntry.parse(present)),
      };
    },
  };
}
