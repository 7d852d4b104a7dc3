import { beforeEach, expect, test } from 'vitest';
import { gatewaySlots, SLOT_MS } from '../../../shared/domains/aws/gateway-slots.ts';
import { clock, functionClock, readableTime } from '../../../shared/domains/clock.ts';
import { tableLike } from '../../setup/stack-tables.ts';
import { AT, AT_MS, certified } from './claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, SECOND } from './pass/flow-world.ts';

const SCALE = 0.01;

let world: FlowWorld;
beforeEach(async () => {
  world = await flowWorld({ scale: SCALE });
});

test('the next check is shown when the scaled wait ends, and the state machine gets the unscaled one', async () => {
  await world.stored();
  world.zone = {};
  expect(await world.run()).toMatchObject({ waitSeconds: 15 });
  const { nextCheckAt } = await world.found();
  expect(nextCheckAt).toBe(new Date(world.nowMs + 15 * SECOND * SCALE).toISOString());
});

test('a deadline passes after its scaled time', async () => {
  await world.stored({ provenAt: AT });
  world.zone = {};
  world.nowMs += 30 * 24 * HOUR * SCALE - MINUTE;
  expect(await world.run()).toMatchObject({ next: 'WaitForDns' });
  world.nowMs += MINUTE;
  expect(await world.run()).toMatchObject({ next: 'Failed' });
});

test('slots follow each other by the scaled interval, and the wait for one is unscaled again', async () => {
  const slots = gatewaySlots(
    await tableLike('DomainsTable'),
    clock(SCALE, () => AT_MS),
  );
  await slots.turn('create', null);
  expect(await slots.turn('create', null)).toMatchObject({ atMs: AT_MS + SLOT_MS * SCALE });
  await world.stored({ status: 'issuing', issuedAt: AT, certificate: certified() });
  world.slotInMs = 310;
  expect(await world.run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 31 });
});

test('the clock of a function has the scale of its environment', () => {
  const { scaled, unscaled } = functionClock(name => (name === 'WAIT_SCALE' ? '0.5' : undefined));
  expect([scaled(10), unscaled(10)]).toEqual([5, 20]);
  expect(functionClock(() => undefined).scaled(10)).toBe(10);
});

test('a time is readable in messages', () => {
  expect(readableTime('2026-11-04T13:05:59.123Z')).toBe('4 Nov 2026, 13:05 UTC');
});
