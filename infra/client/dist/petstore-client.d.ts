/** What the package exports. */
export type { Deprecation } from './deprecation.ts';
export type { Page, PagedList } from './paged-list.ts';
export { type CallOptions, type CreateOptions, Petstore, type PetstoreOptions } from './petstore.ts';
export { PetstoreError } from './petstore-error.ts';
export type * from './schemas.ts';
