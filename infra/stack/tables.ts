/** The tables of the stack, by the names that the setting restoredTables gives them. */
export const TABLES = [
  ...(['pets', 'idempotencyKeys', 'orders', 'apiKeys', 'projects', 'domains', 'audit'] as const),
];
export type TableName = (typeof TABLES)[number];
