/**
 * Table: partition key `id` (S). The other attributes are the fields of ApiKey, all text, the scopes with spaces between
 * them, a time that is null left out; and `hash` (S), the SHA-256 of the key. The key itself is stored nowhere.
 */
export const API_KEYS_TABLE = { partitionKey: 'id' } as const;

/** The condition that there is a key and that it is not revoked. */
export const IS_ACTIVE = 'attribute_exists(id) AND attribute_not_exists(revokedAt)';
