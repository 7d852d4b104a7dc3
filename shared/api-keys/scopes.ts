import * as z from 'zod/mini';

const NAMES = ['pets:read', 'pets:write', 'orders:read'] as const;

/** A permission of an API key. */
export const Scope = z.enum(NAMES, `must be one of ${NAMES.join(', ')}`);
export type Scope = z.infer<typeof Scope>;

/** Scopes as one text: the form in which they are stored, and in which the authorizer passes them to the operations. */
export function joinScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}

export const ALL_SCOPES: readonly Scope[] = NAMES;
