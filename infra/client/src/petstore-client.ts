/** What the package exports. */
export type { CallOptions } from './connection.ts';
export type { Deprecation } from './deprecation.ts';
export type { Page, PagedList } from './paged-list.ts';
export { type CreateOptions, Petstore, type PetstoreOptions } from './petstore.ts';
export { PetstoreError } from './petstore-error.ts';
export type * from './schemas.ts';
