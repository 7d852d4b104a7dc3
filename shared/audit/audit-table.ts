/**
 * Table: partition key `requestId` (S), so that a request is carried out once. Index `byTime`: partition key `log` (S,
 * always `changes`), sort key `at` (S, RFC 3339). `input` and `result` are JSON; `writeToken` tells our own write.
 */
export const AUDIT_TABLE = {
  partitionKey: 'requestId',
  timeIndex: { name: 'byTime', partitionKey: 'log', sortKey: 'at' },
} as const;
