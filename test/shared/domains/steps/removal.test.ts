import { beforeAll, beforeEach, expect, test } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { GatewayBusy } from '../../../../shared/domains/aws/gateway-domains.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { forgetting, removal } from '../../../../shared/domains/steps/removal.ts';
import { certified, claimed, live, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR, MINUTE, SECOND } from './flow-world.ts';

const NAME = 'www.zoo.example';
const ATTEMPT = { domain: NAME, attempt: 3 };
const GATEWAY = { host: 'd-1', hostedZoneId: 'Z1', certificateArn: certified().arn as string };
const REST = [`remove ${TARGET}`, 'delete records', 'delete certificates'];

let world: FlowWorld;
let takeDown: ReturnType<typeof removal>['takeDown'];
let forget: ReturnType<typeof forgetting>;
beforeAll(async () => {
  world = await flowWorld();
  ({ takeDown } = removal(world.parts));
  forget = forgetting(world.store);
});
beforeEach(() => world.reset());

const removing = (news: Partial<Domain> = {}) =>
  world.stored({ ...live(), status: 'removing', message: 'No longer served.', attempt: 3, ...news });

/** What is noted of a domain of which nothing is left, and whose name is not free yet. */
const takenDown = () => ({
  status: 'removing',
  reason: null,
  message: 'No longer served. Everything is taken down; the name is free in a moment.',
  takenDownAt: new Date(world.nowMs).toISOString(),
  slotAt: null,
  nextCheckAt: null,
});

test('done: traffic stops first, then all that was made goes, and the name is not free yet', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.nowMs += MINUTE;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls).toEqual([`unmap ${NAME}`, 'turn', `remove ${NAME}`, ...REST]);
  expect(await world.found()).toMatchObject(takenDown());
});

test('done: a domain that was never attached needs no turn', async () => {
  await removing();
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls).toEqual([`unmap ${NAME}`, ...REST]);
});

test('done: a step that comes again finds nothing to do', async () => {
  await removing();
  await takeDown(ATTEMPT);
  const { revision: _, ...before } = await world.found();
  world.calls.length = 0;
  world.nowMs += MINUTE;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls).toEqual([]);
  expect(await world.found()).toMatchObject(before);
});

test('done: when nobody takes down any more, the domain is forgotten and nothing else is done', async () => {
  await removing();
  await takeDown(ATTEMPT);
  world.calls.length = 0;
  expect(await forget(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(await world.store.find(NAME)).toBeUndefined();
  expect(await forget(ATTEMPT)).toMatchObject({ outcome: 'ended' });
  expect(world.calls).toEqual([]);
});

test('ended: steps that come again leave a new claim of the name alone', async () => {
  await removing();
  await takeDown(ATTEMPT);
  await forget(ATTEMPT);
  const anew = claimed({ target: 'fedcba.apps.petstore.example' });
  await transact([world.store.claim(anew)]);
  world.calls.length = 0;
  for (const step of [takeDown, forget]) {
    expect(await step(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect([world.calls, await world.found()]).toEqual([[], anew]);
  }
});

test('waiting: for its turn, with the traffic stopped and all else in place until then', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.slotInMs = 93_000;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 93 });
  expect(world.calls).toEqual([`unmap ${NAME}`, 'turn']);
  world.nowMs += 93 * SECOND;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls.filter(call => call === 'turn')).toHaveLength(1);
  expect(await world.found()).toMatchObject(takenDown());
});

test('waiting: API Gateway is busy at its turn, so it takes another', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.refusal = new GatewayBusy('Too Many Requests');
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
  world.nowMs += 31 * SECOND;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

test('waiting: the certificate is in use for a while, every 5 minutes at first and then half-hourly', async () => {
  await removing();
  world.isInUse = true;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 300 });
  expect(await world.found()).toMatchObject({
    status: 'removing',
    reason: null,
    message: 'No longer served. Its certificate is still in use and is deleted as soon as it can be.',
  });
  await removing({ rounds: 12 });
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 1800 });
  expect(await world.found()).not.toHaveProperty('takenDownAt');
  world.isInUse = false;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(await world.found()).toMatchObject(takenDown());
});

test('ended: the certificate is in use for a week, which is said, and the domain is not forgotten', async () => {
  await removing();
  world.isInUse = true;
  world.nowMs += 7 * 24 * HOUR + MINUTE;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'ended' });
  expect(await world.found()).toMatchObject({
    status: 'removing',
    reason: 'certificate_in_use',
    message: 'No longer served, but its certificate is still in use. Remove it again to go on.',
  });
  expect(await world.found()).not.toHaveProperty('takenDownAt');
});

test('ended: overtaken by a removal that was begun anew', async () => {
  const anew = await removing({ attempt: 4 });
  for (const step of [takeDown, forget]) {
    expect(await step(ATTEMPT)).toMatchObject({ outcome: 'ended' });
    expect([world.calls, await world.found()]).toEqual([[], anew]);
  }
});
