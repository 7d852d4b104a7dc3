/** What an API key can allow its owner to do. */
export const SCOPE_NAMES = ['pets:read', 'pets:write', 'orders:read'] as const;
