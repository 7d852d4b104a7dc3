import { beforeAll, beforeEach, expect, test } from 'vitest';
import { certified } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE } from './flow-world.ts';

const NAME = 'www.zoo.example';
const MESSAGE = 'The project zoo is on the plan free. Custom domains need pro or above.';

let world: FlowWorld;
beforeAll(async () => {
  world = await flowWorld();
});
beforeEach(async () => {
  world.reset();
  world.unmet = { reason: 'plan_required', message: MESSAGE };
  await world.stored({ status: 'issuing', phase: 'attachment', certificate: certified() });
});

const attach = () => world.parts.attachment.attach({ domain: NAME, project: 'zoo', attempt: 2 });

test('waiting: the project lacks what custom domains need; nothing is created at AWS', async () => {
  expect(await attach()).toMatchObject({ outcome: 'waiting', waitSeconds: 15 });
  expect(await world.found()).toMatchObject({ reason: 'plan_required', message: MESSAGE, liveAt: null });
  expect(world.calls).toEqual([]);
});

test('done: goes live once the project has it', async () => {
  await attach();
  world.unmet = undefined;
  expect(await attach()).toMatchObject({ outcome: 'done' });
});

test('failed: the project still lacks it after 48 hours', async () => {
  world.nowMs += 48 * HOUR + MINUTE;
  expect(await attach()).toMatchObject({ outcome: 'failed' });
  expect(await world.found()).toMatchObject({
    status: 'failed',
    reason: 'plan_required',
    message: `${MESSAGE} Verify again once that is solved.`,
  });
});
