import * as z from 'zod/mini';
import { Scope } from './scopes.ts';

const Time = z.nullable(z.string());

/** What is kept of an API key. Times are RFC 3339, in UTC. */
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
});
export type ApiKey = z.infer<typeof ApiKey>;

export function isValid({ revokedAt, expiresAt }: ApiKey, nowMs: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > nowMs);
}

/** The record in the attributes of an item, whose layout is in api-key-table.ts. */
export function apiKeyFromTexts({
  scopes,
  expiresAt = null,
  lastUsedAt = null,
  revokedAt = null,
  ...texts
}: Readonly<Record<string, unknown>>): ApiKey {
  return ApiKey.parse({ ...texts, scopes: String(scopes).split(' '), expiresAt, lastUsedAt, revokedAt });
}
