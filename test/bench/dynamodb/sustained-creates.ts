import { PRODUCTION } from '../../../infra/stack/environments.ts';
import { MAXIMUM_SHARDS } from '../../../shared/pets/pet-id.ts';

/** AWS: a partition takes 1,000 write units a second, of a table and of an index each. */
const WRITE_UNITS_PER_PARTITION = 1000;
/** A create puts one item below 1 KB into its shard's partition of the table, and one into that of the index. */
const WRITE_UNITS_PER_PARTITION_AND_CREATE = 1;

export interface SustainedCreates {
  readonly shards: number;
  readonly createsPerSecond: number;
}

const withShards = (shards: number): SustainedCreates => ({
  shards,
  createsPerSecond: (shards * WRITE_UNITS_PER_PARTITION) / WRITE_UNITS_PER_PARTITION_AND_CREATE,
});

/** What the key design allows as it is set, and with as many shards as an id can name. */
export const SUSTAINED_CREATES = [withShards(PRODUCTION.petShards), withShards(MAXIMUM_SHARDS)];

export const ARITHMETIC =
  `Sustained creates: a create writes ${WRITE_UNITS_PER_PARTITION_AND_CREATE} unit to one partition of the table and ` +
  `${WRITE_UNITS_PER_PARTITION_AND_CREATE} to one of the index; AWS allows each partition ` +
  `${WRITE_UNITS_PER_PARTITION.toLocaleString('en')} units a second. ` +
  SUSTAINED_CREATES.map(
    ({ shards, createsPerSecond }) =>
      `${shards} shard${shards === 1 ? ' (as set)' : 's (the most)'}: ${shards} × ` +
      `${WRITE_UNITS_PER_PARTITION} / ${WRITE_UNITS_PER_PARTITION_AND_CREATE} = ${createsPerSecond.toLocaleString('en')} creates a second.`,
  ).join(' ');
