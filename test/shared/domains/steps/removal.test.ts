import { beforeEach, describe, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { FrontBusy } from '../../../../shared/domains/front.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { claimed, NAME, removing as removingDomain, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, FOREIGN, flowWorld, GATEWAY, HOUR, MINUTE, SECOND } from './flow-world.ts';

const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 3 };
const DETACHED = ['slot ahead', `remove ${NAME}`];
const REST = [`remove ${TARGET}`, 'delete records', 'delete certificates'];

const world = await flowWorld();
const run = (step: typeof forget) => world.run(step, ATTEMPT);
const { forget } = world.parts;
const { takeDown } = world.parts.removal;
beforeEach(() => world.reset());

const removing = (changes: Partial<Domain> = {}) => world.stored(removingDomain(changes));

/** The record of a domain of which nothing is left at AWS. */
const takenDown = () => ({
  status: 'removing',
  reason: null,
  message: 'No longer served. Everything has been deleted; the name will be free in a moment.',
  takenDownAt: new Date(world.nowMs).toISOString(),
  slotAt: null,
  nextCheckAt: null,
});

test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
  ['stops the traffic first, then deletes everything, and keeps the record', GATEWAY, DETACHED],
  ['books no slot for a domain that was never attached', undefined, []],
  ['leaves a domain name that others have alone, and books no slot for it', FOREIGN, []],
])('done: takeDown %s', async (_, gateway, calls) => {
  await removing();
  Object.assign(world, { gateway, nowMs: world.nowMs + MINUTE });
  expect(await run(takeDown)).toMatchObject({ outcome: 'done', ...takenDown() });
  expect(world.calls).toEqual([`unmap ${NAME}`, ...calls, ...REST]);
  expect(world.gateway).toBe(gateway === GATEWAY ? undefined : gateway);
});

test('done: takeDown does nothing when it runs again', async () => {
  await removing();
  const { revision: _, ...before } = await run(takeDown);
  world.calls.length = 0;
  world.nowMs += MINUTE;
  expect(await run(takeDown)).toMatchObject(before);
  expect(world.calls).toEqual([]);
});

test('done: forget deletes the record and asks AWS nothing', async () => {
  await removing();
  await takeDown(ATTEMPT);
  world.calls.length = 0;
  expect(await forget(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(await world.store.find(NAME, 'zoo')).toBeUndefined();
  expect(await forget(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
  expect(world.calls).toEqual([]);
});

test('superseded: both steps leave a new claim of the name alone', async () => {
  await removing();
  await takeDown(ATTEMPT);
  await forget(ATTEMPT);
  const anew = claimed({ target: 'fedcba.apps.petstore.example' });
  await transact([world.store.claim(anew)]);
  world.calls.length = 0;
  for (const step of [takeDown, forget]) {
    expect(await step(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
    expect([world.calls, await world.found()]).toEqual([[], anew]);
  }
});

test('waiting: takeDown waits for its slot, with the traffic stopped and everything else in place', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.slotInMs = 93_000;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 93 });
  expect(world.calls).toEqual([`unmap ${NAME}`, 'slot ahead']);
  world.nowMs += 93 * SECOND;
  expect(await run(takeDown)).toMatchObject({ outcome: 'done', ...takenDown() });
  expect(world.calls.filter(call => call === 'slot ahead')).toHaveLength(1);
});

test('waiting: takeDown books another slot when API Gateway is busy', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.refusal = new FrontBusy('Too Many Requests');
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
  world.nowMs += 31 * SECOND;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

test('waiting: takeDown retries while the certificate is in use', async () => {
  await removing();
  world.isInUse = true;
  expect(await run(takeDown)).toMatchObject({
    outcome: 'waiting',
    waitSeconds: 300,
    status: 'removing',
    reason: null,
    message: 'No longer served. Its certificate is still in use and will be deleted as soon as possible.',
  });
  expect(await world.found()).not.toHaveProperty('takenDownAt');
  world.isInUse = false;
  expect(await run(takeDown)).toMatchObject({ outcome: 'done', ...takenDown() });
});

test('failed: the certificate is in use for a week; the record stays and says so', async () => {
  await removing();
  world.isInUse = true;
  world.nowMs += 7 * 24 * HOUR + MINUTE;
  const stalled = await run(takeDown);
  expect(stalled).toMatchObject({
    outcome: 'failed',
    status: 'stalled',
    reason: 'certificate_in_use',
    message: 'No longer served, but its certificate is still in use. Remove the domain again to continue.',
  });
  expect(stalled).not.toHaveProperty('takenDownAt');
});

test.each<[outcome: string, what: string, changes: Partial<Domain>]>([
  [
    'failed',
    'has stalled, which is for the operator to solve',
    { status: 'stalled', reason: 'gateway_busy' },
  ],
  ['superseded', 'was started again', { attempt: 4 }],
])('%s: both steps leave a removal alone that %s', async (outcome, _, changes) => {
  const before = await removing(changes);
  for (const step of [takeDown, forget]) {
    expect(await step(ATTEMPT)).toMatchObject({ outcome });
    expect([world.calls, await world.found()]).toEqual([[], before]);
  }
});

describe('the lease of takeDown', () => {
  test('one delivery of takeDown works at a time; the other one is refused, and retried when the lease is over', async () => {
    await removing();
    world.gateway = GATEWAY;
    let second: unknown;
    world.onUnmapped = async () => {
      // Once only: a second delivery that is not refused would end up here, too.
      world.onUnmapped = async () => {};
      world.nowMs += 89 * SECOND;
      second = await takeDown(ATTEMPT).catch((error: unknown) => error);
    };
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(second).toMatchObject({ name: 'StepBusy' });
    expect(world.calls.filter(call => call.startsWith('unmap'))).toHaveLength(1);
    expect(await world.found()).not.toHaveProperty('takeDownLease');
  });

  test('the next delivery of takeDown goes on after one that was stopped, once its lease is over', async () => {
    const leasedUntilMs = world.nowMs + 90 * SECOND;
    await removing({ takeDownLease: { holder: 'stopped', until: new Date(leasedUntilMs).toISOString() } });
    await expect(takeDown(ATTEMPT)).rejects.toThrow('Another delivery takes www.zoo.example down');
    expect(world.calls).toEqual([]);
    world.nowMs = leasedUntilMs;
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('a delivery of takeDown that fails leaves no lease to the next one', async () => {
    await removing();
    world.gateway = GATEWAY;
    world.refusal = new Error('Internal server error');
    await expect(takeDown(ATTEMPT)).rejects.toThrow('Internal server error');
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('of two deliveries of takeDown at the same moment, one works', async () => {
    await removing();
    // The second is refused, or comes when everything is done.
    await Promise.allSettled([takeDown(ATTEMPT), takeDown(ATTEMPT)]);
    expect(world.calls).toEqual([`unmap ${NAME}`, ...REST]);
  });
});
