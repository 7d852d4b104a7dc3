import { beforeEach, expect, test } from 'vitest';
import { gatewaySlots, SLOT_MS } from '../../../../shared/domains/aws/gateway-slots.ts';
import { clock } from '../../../../shared/domains/clock.ts';
import { report } from '../../../../shared/domains/report.ts';
import { NO_ROUTING } from '../../../../shared/projects/routing.ts';
import { tableLike } from '../../../setup/stack-tables.ts';
import { AT_MS, certified, claimed } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, SECOND } from './flow-world.ts';

const SCALE = 0.01;
const ATTEMPT = { domain: 'www.zoo.example', project: 'zoo', attempt: 2 };

let world: FlowWorld;
beforeEach(async () => {
  world = await flowWorld({ scale: SCALE });
});

test('the next check is shown when the scaled wait ends, and the state machine is told the unscaled one', async () => {
  await world.stored();
  world.zone = {};
  expect(await world.parts.verification.checkDns(ATTEMPT)).toMatchObject({ waitSeconds: 15 });
  const { nextCheckAt } = await world.found();
  expect(nextCheckAt).toBe(new Date(world.nowMs + 15 * SECOND * SCALE).toISOString());
});

test('a deadline passes after its scaled time', async () => {
  await world.stored();
  world.zone = {};
  world.nowMs += 48 * HOUR * SCALE;
  expect(await world.parts.verification.checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting' });
  world.nowMs += MINUTE;
  expect(await world.parts.verification.checkDns(ATTEMPT)).toMatchObject({ outcome: 'failed' });
});

test('slots follow each other by the scaled interval, and the wait for one is unscaled again', async () => {
  const slots = gatewaySlots(await tableLike('DomainsTable'), SLOT_MS * SCALE);
  expect([await slots.book(AT_MS), await slots.book(AT_MS)]).toEqual([AT_MS, AT_MS + SLOT_MS * SCALE]);
  await world.stored({ status: 'issuing', phase: 'attachment', certificate: certified() });
  world.slotInMs = 310;
  expect(await world.parts.attachment.attach(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
});

test('a report says that a verification has not begun after the scaled time, and the time of the work itself', () => {
  const domain = claimed({ status: 'verifying', certificate: certified() });
  const nextAfter = (ms: number) =>
    report(
      domain,
      NO_ROUTING,
      clock(SCALE, () => AT_MS + ms),
    ).next;
  const notBegun = expect.stringContaining('Its verification has not begun yet.');
  expect(nextAfter(11 * SECOND)).not.toContainEqual(notBegun);
  expect(nextAfter(12 * SECOND)).toContainEqual(notBegun);
});

test('the deadlines of a report are scaled', () => {
  const verifyStartedAt = new Date(AT_MS).toISOString();
  const domain = claimed({ status: 'verifying', verifyStartedAt });
  const { deadlines } = report(
    domain,
    NO_ROUTING,
    clock(SCALE, () => AT_MS),
  );
  expect(deadlines.dns).toBe(new Date(AT_MS + 48 * HOUR * SCALE).toISOString());
});
