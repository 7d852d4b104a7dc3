/** Table: partition key `id` (S). The other attributes are the fields of ApiKey and `hash` (S), never the key. */
export const API_KEYS_TABLE = { partitionKey: 'id' } as const;
