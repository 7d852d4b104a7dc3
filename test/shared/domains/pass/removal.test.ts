import { beforeEach, describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { NAME, removing, TARGET } from '../claimed-domain.ts';
import { ATTEMPT, type FlowWorld, FOREIGN, flowWorld, GATEWAY, HOUR, MINUTE, SECOND } from './flow-world.ts';

const DETACHED = ['slot', `remove ${NAME}`];
const REST = [`remove ${TARGET}`, 'delete records', 'delete certificates'];

const world = await flowWorld();
const { run } = world;
beforeEach(() => world.reset());

const stored = (changes: Partial<Domain> = {}) =>
  world.stored(removing({ attempt: ATTEMPT.attempt, ...changes }));
const GONE = { next: 'Done', waitSeconds: 0 };

test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
  ['stops the traffic first, then deletes everything, at last the record', GATEWAY, DETACHED],
  ['books no slot for a domain that was never attached', undefined, []],
  ['leaves a domain name that others have alone, and books no slot for it', FOREIGN, []],
])('%s', async (_, gateway, calls) => {
  await stored();
  world.gateway = gateway;
  expect(await run()).toEqual(GONE);
  expect(world.calls).toEqual([`unmap ${NAME}`, ...calls, ...REST]);
  expect(world.gateway).toBe(gateway === GATEWAY ? undefined : gateway);
});

describe('a domain name at API Gateway', () => {
  beforeEach(async () => {
    await stored();
    world.gateway = GATEWAY;
  });

  test('is deleted in its slot, with the traffic stopped and everything else in place until then', async () => {
    world.slotInMs = 93 * SECOND;
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 93, isUnmapped: true });
    world.nowMs += 93 * SECOND;
    expect(await run()).toEqual(GONE);
    expect(world.calls).toEqual([`unmap ${NAME}`, 'slot', `unmap ${NAME}`, `remove ${NAME}`, ...REST]);
  });

  test('is deleted in another slot where API Gateway is busy', async () => {
    world.isBusy = true;
    expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 31 });
    world.nowMs += 31 * SECOND;
    expect(await run()).toEqual(GONE);
  });
});

test('retries while the certificate is in use', async () => {
  await stored();
  world.isInUse = true;
  expect(await run()).toMatchObject({
    waitSeconds: 300,
    status: 'removing',
    reason: null,
    message: 'No longer served. Its certificate is still in use and will be deleted as soon as possible.',
  });
  world.isInUse = false;
  expect(await run()).toEqual(GONE);
});

test.each<[what: string, trouble: () => Partial<FlowWorld>, reason: string, message: string]>([
  [
    'its certificate is in use',
    () => ({ isInUse: true }),
    'certificate_in_use',
    'No longer served, but its certificate is still in use. Remove the domain again to continue.',
  ],
  [
    'API Gateway is busy',
    () => ({ gateway: GATEWAY, isBusy: true }),
    'gateway_busy',
    'No longer served, but API Gateway is too busy to delete it. Remove the domain again to continue.',
  ],
])('stalls where %s for a week; the record stays and says so', async (_, trouble, reason, message) => {
  await stored();
  Object.assign(world, trouble(), { nowMs: world.nowMs + 7 * 24 * HOUR + MINUTE });
  expect(await run()).toMatchObject({ next: 'Failed', status: 'stalled', reason, message });
});
