/**
 * Table: partition key `id` (S). The other attributes are the fields of ApiKey, all text, the scopes with spaces
 * between them; and `hash` (S), the SHA-256 of the key. The key itself is nowhere.
 */
export const API_KEYS_TABLE = { partitionKey: 'id' } as const;
