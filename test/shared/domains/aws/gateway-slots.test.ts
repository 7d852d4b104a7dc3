import { expect, test } from 'vitest';
import { gatewaySlots, SLOT_MS } from '../../../../shared/domains/aws/gateway-slots.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { FrontFull } from '../../../../shared/domains/front.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS } from '../claimed-domain.ts';

/** API Gateway allows one change in 30 s. */
const AWS_MS = 30_000;

let nowMs = AT_MS;
const table = await tableLike('DomainsTable');
const slotsOf = (tableName: string) =>
  gatewaySlots(
    tableName,
    clock(1, () => nowMs),
  );
const shared = slotsOf(table);
const timeOfNext = async (slots = shared) => (await slots.book()).atMs;

test('book gives concurrent callers slots that are far enough apart, the first of them now', async () => {
  const taken = await Promise.all(Array.from({ length: 12 }, () => timeOfNext(slotsOf(table))));
  const apart = taken.toSorted((one, other) => one - other);
  expect(apart).toEqual(apart.map((_, place) => AT_MS + place * SLOT_MS));
  expect(SLOT_MS).toBeGreaterThan(AWS_MS);
});

test('book gives the slot after the last one that is booked, and now if that has passed', async () => {
  nowMs = AT_MS + 11 * SLOT_MS + 1000;
  expect(await timeOfNext()).toBe(AT_MS + 12 * SLOT_MS);
  const laterMs = AT_MS + 60 * 60 * 1000;
  nowMs = laterMs;
  expect(await timeOfNext()).toBe(laterMs);
  nowMs += 1;
  expect(await timeOfNext()).toBe(laterMs + SLOT_MS);
  nowMs = laterMs + 2 * SLOT_MS;
  expect(await timeOfNext()).toBe(nowMs);
});

test('a slot that is booked ahead is the next one, and moves those behind it; their times stay apart', async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  nowMs = AT_MS;
  const [first, second, third] = [await slots.book(), await slots.book(), await slots.book()];
  const timesOf = (...queued: { queuedAtMs: number }[]) =>
    Promise.all(queued.map(({ queuedAtMs }) => slots.timeOf(queuedAtMs)));
  nowMs += 1000;
  const ahead = await Promise.all([1, 2].map(() => slots.book({ isAhead: true })));
  expect(ahead.map(({ atMs }) => atMs).toSorted((one, other) => one - other)).toEqual([
    AT_MS + SLOT_MS,
    AT_MS + 2 * SLOT_MS,
  ]);
  expect(await timesOf(second, third)).toEqual([AT_MS + 3 * SLOT_MS, AT_MS + 4 * SLOT_MS]);
  // Its time has come already, so it does not move.
  expect(await timesOf(first)).toEqual([nowMs]);
  const last = await slots.book();
  expect(last.atMs).toBe(AT_MS + 5 * SLOT_MS);
  nowMs = AT_MS + 3 * SLOT_MS - 1;
  expect((await slots.book({ isAhead: true })).atMs).toBe(AT_MS + 3 * SLOT_MS);
  expect(await timesOf(second, last)).toEqual([AT_MS + 4 * SLOT_MS, AT_MS + 6 * SLOT_MS]);
  nowMs = AT_MS + 8 * SLOT_MS;
  expect((await slots.book({ isAhead: true })).atMs).toBe(nowMs);
});

test('while the account is full, one domain in ten minutes is let through, until there is room', async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  const isLetThrough = (domain: string) =>
    slots.requireRoom(domain).then(
      () => true,
      error => !(error instanceof FrontFull),
    );
  expect(await isLetThrough('one')).toBe(true);
  await slots.noteRoom(true);
  expect(await isLetThrough('one')).toBe(false);
  nowMs += 10 * 60 * 1000;
  const all = ['one', 'two', 'three'];
  const through = await Promise.all(all.map(isLetThrough));
  expect(through.filter(Boolean)).toHaveLength(1);
  // It asks again when its slot has come.
  expect(await Promise.all(all.map(isLetThrough))).toEqual(through);
  await slots.noteRoom(true);
  expect(await Promise.all(all.map(isLetThrough))).toEqual([false, false, false]);
  await slots.noteRoom(false);
  expect(await Promise.all(all.map(isLetThrough))).toEqual([true, true, true]);
});

test('an error of DynamoDB that is not about a booking is reported', async () => {
  const { book, requireRoom } = slotsOf('no-such-table');
  await expect(book()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
  await expect(requireRoom('one')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
