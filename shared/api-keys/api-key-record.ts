import * as z from 'zod/mini';
import { SCOPE_NAMES } from './scopes.ts';

export const Scope = z.enum(SCOPE_NAMES, `must be one of ${SCOPE_NAMES.join(', ')}`);

const Time = z.nullable(z.string());

/** The record of an API key. Times are RFC 3339, in UTC. */
export const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  /** The beginning and the last four characters of the key. */
  hint: z.string(),
  scopes: z.array(Scope),
  createdAt: z.string(),
  expiresAt: Time,
  lastUsedAt: Time,
  revokedAt: Time,
  /** The id of the first in a series of rotated keys; absent in that first key. */
  lineage: z.optional(z.string()),
});
export type ApiKey = z.infer<typeof ApiKey>;

export function isValid({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/**
 * Shared by all keys that were rotated from one another: whoever holds one of them is the same caller. A key that was rotated
 * before lineages were recorded starts its own.
 */
export function lineageOf({ id, lineage = id }: Pick<ApiKey, 'id' | 'lineage'>): string {
  return lineage;
}

/**
 * Table: partition key `id` (S). The other attributes are the fields of ApiKey, all text; scopes are separated by spaces,
 * and times that are null are left out. Then `hash` (S), the SHA-256 of the key. The key itself is not stored anywhere.
 */
export const API_KEYS_TABLE = { partitionKey: 'id' } as const;

/** The condition that the key exists and isn't revoked. */
export const IS_ACTIVE = 'attribute_exists(id) AND attribute_not_exists(revokedAt)';

/** The record in the attributes of an item. */
export function apiKeyFromTexts({
  scopes,
  expiresAt = null,
  lastUsedAt = null,
  revokedAt = null,
  ...texts
}: Readonly<Record<string, unknown>>): ApiKey {
  return ApiKey.parse({ ...texts, scopes: String(scopes).split(' '), expiresAt, lastUsedAt, revokedAt });
}
