/** A zone of the account in which the flows of both environments create the records themselves. */
export const MANAGED_ZONE = { id: 'ZMANAGED', name: 'managed-zoo.com' } as const;
