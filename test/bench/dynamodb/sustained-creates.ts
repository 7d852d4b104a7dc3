import { environmentNamed } from '../../../infra/stack/environments.ts';
import { MAXIMUM_SHARDS } from '../../../shared/pets/pet-id.ts';

/** AWS's limit: each partition of a table, and each of an index, takes 1,000 write units a second. */
const WRITE_UNITS_PER_PARTITION = 1000;
/** A create writes one item below 1 KB to its shard's partition of the table, and one to that of the index. */
const WRITE_UNITS_PER_PARTITION_AND_CREATE = 1;

export interface SustainedCreates {
  readonly shards: number;
  readonly createsPerSecond: number;
}

const withShards = (shards: number): SustainedCreates => ({
  shards,
  createsPerSecond: (shards * WRITE_UNITS_PER_PARTITION) / WRITE_UNITS_PER_PARTITION_AND_CREATE,
});

/** The rate that the key design allows with the configured number of shards, and with the most an id can encode. */
export const SUSTAINED_CREATES = [
  withShards(environmentNamed('production').petShards),
  withShards(MAXIMUM_SHARDS),
];

export const ARITHMETIC =
  `Sustained creates: a create writes ${WRITE_UNITS_PER_PARTITION_AND_CREATE} unit to one partition of the table and ` +
  `${WRITE_UNITS_PER_PARTITION_AND_CREATE} to one of the index; AWS allows each partition ` +
  `${WRITE_UNITS_PER_PARTITION.toLocaleString('en')} units a second. ` +
  SUSTAINED_CREATES.map(
    ({ shards, createsPerSecond }) =>
      `${shards} shard${shards === 1 ? ' (as set)' : 's (the most)'}: ${shards} × ` +
      `${WRITE_UNITS_PER_PARTITION} / ${WRITE_UNITS_PER_PARTITION_AND_CREATE} = ${createsPerSecond.toLocaleString('en')} creates a second.`,
  ).join(' ');
