/**
 * Table: partition key `requestId` (S), so that a request is carried out once. Index `byTime`: partition key `log` (S,
 * always `changes`), sort key `at` (S, RFC 3339). The other attributes are the fields of AuditEntry; `input` and `result`
 * are maps, which don't keep the order of their fields. Items without `claimedBy` come from a version that verified nobody:
 * their `by` is what the payload said, or `unknown`. `writeToken` identifies the write, for a retry whose first response
 * was lost.
 */
export const AUDIT_TABLE = {
  partitionKey: 'requestId',
  timeIndex: { name: 'byTime', partitionKey: 'log', sortKey: 'at' },
} as const;
