import { beforeEach, expect, test } from 'vitest';
import { NAME, removing, SECOND, TARGET } from '../claimed-domain.ts';
import { ATTEMPT, type FlowWorld, FOREIGN, flowWorld, GATEWAY } from './flow-world.ts';

const DETACHED = ['slot', `remove ${NAME}`];
const REST = [`remove ${TARGET}`, 'delete records', 'delete certificates'];
const GONE = { next: 'Done', waitSeconds: 0 };

const world = await flowWorld();
const { run } = world;
beforeEach(async () => {
  world.reset();
  await world.stored(removing({ attempt: ATTEMPT.attempt }));
});

test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
  ['stops the traffic first, then deletes everything, at last the record', GATEWAY, DETACHED],
  ['books no slot for a domain that was never attached', undefined, []],
  ['leaves a domain name that others have alone, and books no slot for it', FOREIGN, []],
])('%s', async (_, gateway, calls) => {
  world.gateway = gateway;
  expect(await run()).toEqual(GONE);
  expect(world.calls).toEqual([`unmap ${NAME}`, ...calls, ...REST]);
  expect(world.gateway).toBe(gateway === GATEWAY ? undefined : gateway);
});

test('deletes the domain name in its slot, with the traffic stopped and everything else in place until then', async () => {
  Object.assign(world, { gateway: GATEWAY, slotInMs: 93 * SECOND });
  expect(await run()).toMatchObject({ next: 'WaitForSlot', waitSeconds: 93, isUnmapped: true });
  world.nowMs += 93 * SECOND;
  expect(await run()).toEqual(GONE);
  expect(world.calls).toEqual([`unmap ${NAME}`, 'slot', `unmap ${NAME}`, `remove ${NAME}`, ...REST]);
});

test('waits while its certificate is in use, with the record in place', async () => {
  world.isInUse = true;
  expect(await run()).toMatchObject({ next: 'WaitForRelease', waitSeconds: 300, status: 'removing' });
  world.isInUse = false;
  expect(await run()).toEqual(GONE);
});
