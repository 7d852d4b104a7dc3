import { INT64, oneOf, storedObject, TEXT } from '../aws/stored-fields.ts';
import type { FilterOf } from '../paging.ts';
import type { listPets } from './operations.ts';
import { type Pet, PetStatus } from './pet.ts';

/** How a pet's fields are stored. */
export const STORED_PET = storedObject<Pet>('pet', {
  required: { id: INT64, name: TEXT, categoryId: INT64, status: oneOf(PetStatus.options) },
  optional: {},
});

/** The fields by which pets can be listed. */
export type PetFilter = FilterOf<typeof listPets>;

/**
 * Pets table: partition key `shard` (N), sort key `id` (N). A page is one Query per active shard, in id order.
 * An index for each filter of the list: partition key such as `statusShard` (S, `available#0`), sort key `id`. Besides the
 * fields of a Pet an item has `writeToken`, by which a retried write recognizes its own earlier attempt.
 */
export const PETS_TABLE = {
  partitionKey: 'shard',
  sortKey: 'id',
  /** The indexes of each filter. Writes go to all of them; a list reads the first index of the first given filter. */
  indexes: { status: [{ name: 'byStatus', partitionKey: 'statusShard' }] },
} as const satisfies {
  indexes: Record<keyof PetFilter, readonly [Index, ...Index[]]>;
  [key: string]: unknown;
};

interface Index {
  readonly name: string;
  readonly partitionKey: string;
}

/** Where the indexes have the pets of a shard with these values. */
export function indexPartitions(values: PetFilter, shard: number) {
  return Object.entries(PETS_TABLE.indexes).flatMap(([field, indexes]) => {
    const value = values[field as keyof PetFilter];
    if (value === undefined) return [];
    return indexes.map(({ name, partitionKey }) => ({
      field,
      index: name,
      partitionKey,
      partition: { S: `${value}#${shard}` },
    }));
  });
}

/** The attributes that put a pet in the indexes. */
export function indexAttributes(values: PetFilter, shard: number): Record<string, { S: string }> {
  return Object.fromEntries(
    indexPartitions(values, shard).map(({ partitionKey, partition }) => [partitionKey, partition]),
  );
}

/**
 * Idempotency keys table, which pet was created for which Idempotency-Key: partition key `request` (S,
 * `<caller>#<key>`, the caller by the lineage of its API key), the fields of the Pet as it was created, `writeToken`, and
 * `expiresAt` (N, seconds), the time to live.
 */
export const IDEMPOTENCY_KEYS_TABLE = { partitionKey: 'request', timeToLive: 'expiresAt' } as const;
