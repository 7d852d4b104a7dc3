import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { reconcileAll } from '../../../../shared/domains/steps/scheduled-work.ts';
import { certified } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR } from './flow-world.ts';

const NAME = 'www.zoo.example';
const SEVEN_DAYS = 7 * 24 * HOUR;

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

test('the scheduled reconcile removes a claim that was not verified within seven days', async () => {
  const { attempt } = await world.stored({ status: 'pending_dns', certificate: certified() });
  world.nowMs += SEVEN_DAYS - 1;
  expect(await reconcileAll(world.parts)).toBe(0);
  world.nowMs += 1;
  expect(await reconcileAll(world.parts)).toBe(1);
  expect(await world.found()).toMatchObject({
    status: 'removing',
    attempt: attempt + 1,
    message: 'Not verified within 7 days, so the claim has ended.',
  });
  expect(world.calls).toContain(`start removal ${NAME} ${attempt + 1}`);
  expect(world.calls).not.toContain(`unmap ${NAME}`);
});

test('the removal of an expired claim leaves the domain name of another project that has proven the name', async () => {
  await world.stored({ status: 'pending_dns', certificate: certified() });
  await world.stored({ project: 'farm', target: 'fed.apps.petstore.example', phase: 'live', status: 'live' });
  world.gateway = { host: 'd-1', hostedZoneId: 'Z1', certificateArn: 'arn', isOurs: false };
  world.nowMs += SEVEN_DAYS;
  await reconcileAll(world.parts);
  const { attempt } = await world.found();
  await world.parts.removal.takeDown({ domain: NAME, project: 'zoo', attempt });
  await world.parts.forget({ domain: NAME, project: 'zoo', attempt });
  expect(world.calls).not.toContain(`unmap ${NAME}`);
  expect(world.calls).not.toContain(`remove ${NAME}`);
  expect(await world.store.find(NAME, 'zoo')).toBeUndefined();
  expect(await world.store.ownerOf(NAME)).toBe('farm');
  await world.store.forget(await world.found(NAME, 'farm'), world.nowMs);
});

test('a claim that is verified at the same moment is not removed', async () => {
  const before = await world.stored({ status: 'pending_dns', certificate: certified() });
  world.nowMs += SEVEN_DAYS;
  const all = vi.spyOn(world.store, 'all').mockImplementation(async () => {
    await world.store.save({ ...before, revision: before.revision + 1, status: 'verifying', attempt: 3 });
    return [before];
  });
  await reconcileAll(world.parts);
  all.mockRestore();
  expect(await world.found()).toMatchObject({ status: 'verifying', attempt: 3 });
});
