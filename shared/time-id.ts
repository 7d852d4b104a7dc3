import { randomInt } from 'node:crypto';

/**
 * An id of a pet or an order is `milliseconds since 2025-01-01 UTC × 8192 + 13 random bits`, the low 4 of them the shard. Ids grow
 * with time and need no counter; 40 bits of milliseconds keep them below 2^53, which JavaScript clients read
 * exactly, until 2059.
 */
const EPOCH_MS = Date.UTC(2025, 0, 1);
const RANDOM_BITS = 13n;
const SHARD_BITS = 4n;
const SHARD_MASK = (1n << SHARD_BITS) - 1n;
const DRAWS_PER_SHARD = 2 ** Number(RANDOM_BITS - SHARD_BITS);

/** The number of shards that an id can encode. */
export const MAXIMUM_SHARDS = 2 ** Number(SHARD_BITS);

/** Two creates in one millisecond draw the same id once in 512 times; eight collisions in a row aren't a coincidence. */
export const MAX_ID_DRAWS = 8;

/** Draws ids across the active shards. Each is greater than the previous one, even if the clock stops or steps back. */
export function timeIds(activeShards: number, now: () => number = Date.now): () => bigint {
  let lastMs = 0;
  return () => {
    lastMs = Math.max(now(), lastMs + 1);
    const draw = BigInt(randomInt(DRAWS_PER_SHARD)) << SHARD_BITS;
    const shard = BigInt(activeShards === 1 ? 0 : randomInt(activeShards));
    return (BigInt(lastMs - EPOCH_MS) << RANDOM_BITS) | draw | shard;
  };
}

/** The shard of an id. Every int64 has one, even those this service never drew. */
export function shardOf(petId: bigint): number {
  return Number(petId & SHARD_MASK);
}
