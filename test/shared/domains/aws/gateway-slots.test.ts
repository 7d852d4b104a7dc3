import { beforeEach, expect, test } from 'vitest';
import { gatewaySlots, SLOT_MS } from '../../../../shared/domains/aws/gateway-slots.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS } from '../claimed-domain.ts';

/** API Gateway allows one change of each kind in 30 s. */
const AWS_MS = 30_000;

let nowMs = AT_MS;
beforeEach(() => {
  nowMs = AT_MS;
});
const slotsOf = (tableName: string) =>
  gatewaySlots(
    tableName,
    clock(1, () => nowMs),
  );
type Slots = ReturnType<typeof slotsOf>;
const timeOfNext = async (slots: Slots, change: Parameters<Slots['turn']>[0] = 'create') =>
  (await slots.turn(change, null))?.atMs ?? nowMs;

test('concurrent callers get slots that are far enough apart, the first of them now', async () => {
  const table = await tableLike('DomainsTable');
  const taken = await Promise.all(Array.from({ length: 12 }, () => timeOfNext(slotsOf(table))));
  const apart = taken.toSorted((one, other) => one - other);
  expect(apart).toEqual(apart.map((_, place) => AT_MS + place * SLOT_MS));
  expect(SLOT_MS).toBeGreaterThan(AWS_MS);
});

test('a slot is the one after the last that is booked, and now if that has passed', async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  expect(await timeOfNext(slots)).toBe(AT_MS);
  nowMs += 1000;
  expect(await timeOfNext(slots)).toBe(AT_MS + SLOT_MS);
  const laterMs = AT_MS + 60 * 60 * 1000;
  nowMs = laterMs;
  expect(await timeOfNext(slots)).toBe(laterMs);
  nowMs += 1;
  expect(await timeOfNext(slots)).toBe(laterMs + SLOT_MS);
  nowMs = laterMs + 2 * SLOT_MS;
  expect(await timeOfNext(slots)).toBe(nowMs);
});

test('creations, updates and deletions have a queue each', async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  for (const place of [0, 1, 2]) {
    for (const change of ['create', 'update', 'delete'] as const)
      expect(await timeOfNext(slots, change)).toBe(nowMs + place * SLOT_MS);
  }
});

test("a ticket is the slot's time, and its turn comes then, however many others have booked since", async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  expect(await slots.turn('delete', null)).toBeUndefined();
  const later = await slots.turn('delete', null);
  const ticket = new Date(nowMs + SLOT_MS).toISOString();
  expect(later).toEqual({ kind: 'later', atMs: nowMs + SLOT_MS, ticket, isBusy: false });
  await timeOfNext(slots, 'delete');
  expect(await slots.turn('delete', ticket)).toEqual(later);
  nowMs += SLOT_MS;
  expect(await slots.turn('delete', ticket)).toBeUndefined();
});

test('the next turn is after the slot that somebody else has used', async () => {
  const slots = slotsOf(await tableLike('DomainsTable'));
  const next = { kind: 'later', isBusy: true };
  await slots.turn('update', null);
  expect(await slots.nextTurn('update')).toMatchObject({ ...next, atMs: nowMs + SLOT_MS });
  nowMs += 10 * SLOT_MS;
  expect(await slots.nextTurn('update')).toMatchObject({ ...next, atMs: nowMs + SLOT_MS });
});

test('slots are closer together where time is scaled', async () => {
  const scaled = gatewaySlots(
    await tableLike('DomainsTable'),
    clock(0.01, () => nowMs),
  );
  await scaled.turn('create', null);
  expect(await timeOfNext(scaled)).toBe(nowMs + SLOT_MS / 100);
});

test('an error of DynamoDB that is not about a booking is reported', async () => {
  const booked = slotsOf('no-such-table').turn('create', null);
  await expect(booked).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});
