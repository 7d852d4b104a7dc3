import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import type { removal } from '../../../../shared/domains/steps/removal.ts';
import { certified, live, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, SECOND } from './flow-world.ts';

const NAME = 'www.zoo.example';
const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 3 };
const GATEWAY = { host: 'd-1', hostedZoneId: 'Z1', certificateArn: certified().arn as string, isOurs: true };

let world: FlowWorld;
let takeDown: ReturnType<typeof removal>['takeDown'];
beforeAll(async () => {
  world = await flowWorld();
  ({ takeDown } = world.parts.removal);
});
beforeEach(() => world.reset());

const removing = (changes: Partial<Domain> = {}) =>
  world.stored({ ...live(), status: 'removing', message: 'No longer served.', attempt: 3, ...changes });

test('one delivery of takeDown works at a time; the other one is refused, and retried when the lease is over', async () => {
  await removing();
  world.gateway = GATEWAY;
  let second: unknown;
  world.onUnmapped = async () => {
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
  const deliveries = await Promise.allSettled([takeDown(ATTEMPT), takeDown(ATTEMPT)]);
  expect(deliveries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(world.calls).toEqual([`unmap ${NAME}`, `remove ${TARGET}`, 'delete records', 'delete certificates']);
});
