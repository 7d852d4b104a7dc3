import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAXIMUM_SHARDS, shardOf, timeIds } from '../../shared/time-id.ts';

const TODAY_MS = Date.UTC(2026, 0, 1);
const shards = fc.integer({ min: 1, max: 16 });

function drawn(activeShards: number, timesMs: readonly number[]): bigint[] {
  const clock = timesMs.values();
  const nextId = timeIds(activeShards, () => clock.next().value ?? 0);
  return timesMs.map(() => nextId());
}

test.each([Date.UTC(2026, 0, 1), Date.now(), Date.UTC(2058, 11, 31, 23, 59, 59, 999)])(
  'ids drawn at %d are positive and below 2^53',
  timeMs => {
    for (const id of drawn(16, Array(1000).fill(timeMs))) {
      expect(id > 0n && id < 2n ** 53n).toBe(true);
    }
  },
);

test('an id contains the millisecond in which it was drawn', () => {
  const time = fc.integer({ min: Date.UTC(2025, 0, 2), max: Date.UTC(2059, 0, 1) });
  fc.assert(
    fc.property(time, shards, (timeMs, activeShards) => {
      const [id = 0n] = drawn(activeShards, [timeMs]);
      expect(Number(id / 8192n) + Date.UTC(2025, 0, 1)).toBe(timeMs);
    }),
  );
});

test('the ids of a generator grow, also while its clock stands still or runs backwards', () => {
  const isGrowing = (ids: bigint[]) => ids.every((id, place) => place === 0 || id > (ids[place - 1] ?? 0n));
  const times = fc.array(fc.integer({ min: TODAY_MS - 50, max: TODAY_MS + 50 }), { minLength: 2 });
  fc.assert(fc.property(times, shards, (timesMs, activeShards) => isGrowing(drawn(activeShards, timesMs))));
});

test.each(Array.from({ length: MAXIMUM_SHARDS }, (_, index) => index + 1))(
  'ids are drawn for each of %i active shards and for no other',
  activeShards => {
    const ids = drawn(activeShards, Array(1000).fill(TODAY_MS));
    const seen = new Set(ids.map(shardOf));
    expect([...seen].toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: activeShards }, (_, shard) => shard),
    );
    expect(ids.every(id => shardOf(id) === Number(id % 16n))).toBe(true);
  },
);

test('the nine bits besides the shard are random', () => {
  const draws = new Set(drawn(1, Array(5000).fill(TODAY_MS)).map(id => (id >> 4n) % 512n));
  expect(draws.size).toBeGreaterThan(500);
});

test('any int64 has a shard from 0 to 15', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), id => {
      expect(shardOf(id)).toBeGreaterThanOrEqual(0);
      expect(shardOf(id)).toBeLessThan(16);
    }),
  );
});
