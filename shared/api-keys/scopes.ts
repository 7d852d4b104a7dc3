import * as z from 'zod/mini';

const NAMES = ['pets:read', 'pets:write', 'orders:read'] as const;

/** What an API key may be used for. */
export const Scope = z.enum(NAMES, `must be one of ${NAMES.join(', ')}`);
export type Scope = z.infer<typeof Scope>;

/** Scopes as one text, the form in which they are stored and handed from the authorizer to the operations. */
export function joinScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

export const ALL_SCOPES: readonly Scope[] = NAMES;
