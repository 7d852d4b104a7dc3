import type { PetStatus } from './pet.ts';

/**
 * Pets table: partition key `shard` (N), sort key `id` (N). A page is one Query per active shard, in id order.
 * Index `byStatus`: partition key `statusShard` (S, such as `available#0`), sort key `id`; projects the fields of a Pet.
 * Besides the fields of a Pet an item has `writeToken`, by which a retried write recognizes its own earlier attempt.
 */
export const PETS_TABLE = {
  partitionKey: 'shard',
  sortKey: 'id',
  statusIndex: { name: 'byStatus', partitionKey: 'statusShard', sortKey: 'id' },
  petAttributes: ['name', 'categoryId', 'status'],
} as const;

/** The partition of the index with the pets of a shard that have this status. */
export function statusShard(status: PetStatus, shard: number): string {
  return `${status}#${shard}`;
}

/**
 * Idempotency keys table, which pet was created for which Idempotency-Key: partition key `request` (S,
 * `<caller>#<key>`, the caller by the lineage of its API key), the fields of the Pet as it was created, `writeToken`, and
 * `expiresAt` (N, seconds), the time to live.
 */
export const IDEMPOTENCY_KEYS_TABLE = { partitionKey: 'request', timeToLive: 'expiresAt' } as const;
