/** What an API key can allow its owner to do. */
export const SCOPE_NAMES = ['pets:read', 'pets:write', 'orders:read'] as const;
export type Scope = (typeof SCOPE_NAMES)[number];

/** Scopes as one text: the form in which they are stored, and in which the authorizer passes them to the operations. */
export function joinScopes(scopes: readonly Scope[]): string {
  return scopes.join(' ');
}
