import { beforeAll, expect, test } from 'vitest';
import { TURN_MS, type Turns, turns } from '../../../shared/domains/turns.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { AT_MS } from './claimed-domain.ts';

/** AWS takes one change in 30 s. */
const AWS_MS = 30_000;

let table: string;
let shared: Turns;
beforeAll(async () => {
  table = await tableLike('DomainsTable');
  shared = turns(table);
});

test('turns are far enough apart, however many take one at once, and the first is now', async () => {
  const taken = await Promise.all(Array.from({ length: 12 }, () => turns(table).take(AT_MS)));
  const apart = taken.toSorted((one, other) => one - other);
  expect(apart).toEqual(apart.map((_, place) => AT_MS + place * TURN_MS));
  expect(TURN_MS).toBeGreaterThan(AWS_MS);
});

test('whoever comes while others wait is the last; after a pause the next turn is now', async () => {
  const soonMs = AT_MS + 11 * TURN_MS + 1000;
  expect(await shared.take(soonMs)).toBe(AT_MS + 12 * TURN_MS);
  const laterMs = AT_MS + 60 * 60 * 1000;
  expect(await shared.take(laterMs)).toBe(laterMs);
  expect(await shared.take(laterMs + 1)).toBe(laterMs + TURN_MS);
  const freeMs = laterMs + 2 * TURN_MS;
  expect(await shared.take(freeMs)).toBe(freeMs);
});
