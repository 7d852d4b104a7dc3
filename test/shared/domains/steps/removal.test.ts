import { beforeEach, describe, expect, test, vi } from 'vitest';
import { transact } from '../../../../shared/aws/transaction.ts';
import { FrontBusy } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { trafficStop } from '../../../../shared/domains/steps/removal.ts';
import { claimed, live, NAME, removing as removingDomain, TARGET } from '../claimed-domain.ts';
import { type FlowWorld, FOREIGN, flowWorld, GATEWAY, HOUR, MINUTE, SECOND } from './flow-world.ts';

const ATTEMPT = { domain: NAME, project: 'zoo', attempt: 3 };
const DETACHED = ['slot ahead', `remove ${NAME}`];
const REST = [`remove ${TARGET}`, 'delete records', 'delete certificates'];

const world = await flowWorld();
const { takeDown } = world.parts.removal;
const run = () => world.run(takeDown, ATTEMPT);
beforeEach(() => world.reset());

const removing = (changes: Partial<Domain> = {}) => world.stored(removingDomain(changes));
const claim = () => world.store.find(NAME, 'zoo');

test.each<[what: string, gateway: FlowWorld['gateway'], calls: readonly string[]]>([
  ['stops the traffic first, then deletes everything, at last the record', GATEWAY, DETACHED],
  ['books no slot for a domain that was never attached', undefined, []],
  ['leaves a domain name that others have alone, and books no slot for it', FOREIGN, []],
])('done: takeDown %s', async (_, gateway, calls) => {
  await removing();
  world.gateway = gateway;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls).toEqual([`unmap ${NAME}`, ...calls, ...REST]);
  expect([world.gateway, await claim()]).toEqual([gateway === GATEWAY ? undefined : gateway, undefined]);
});

test('superseded: a late delivery leaves a new claim of the name alone', async () => {
  await removing();
  await takeDown(ATTEMPT);
  const anew = claimed({ target: 'fedcba.apps.petstore.example' });
  await transact([world.store.claim(anew)]);
  world.calls.length = 0;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'superseded' });
  expect([world.calls, await claim()]).toEqual([[], anew]);
});

test('waiting: it waits for its slot, with the traffic stopped and everything else in place', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.slotInMs = 93_000;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 93 });
  expect(world.calls).toEqual([`unmap ${NAME}`, 'slot ahead']);
  world.nowMs += 93 * SECOND;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  expect(world.calls.filter(call => call === 'slot ahead')).toHaveLength(1);
});

test('waiting: it books another slot when API Gateway is busy', async () => {
  await removing();
  world.gateway = GATEWAY;
  world.refusal = new FrontBusy('Too Many Requests');
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 31 });
  world.nowMs += 31 * SECOND;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

test('waiting: it retries while the certificate is in use', async () => {
  await removing();
  world.isInUse = true;
  expect(await run()).toMatchObject({
    outcome: 'waiting',
    waitSeconds: 300,
    status: 'removing',
    reason: null,
    message: 'No longer served. Its certificate is still in use and will be deleted as soon as possible.',
  });
  world.isInUse = false;
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

test('failed: the certificate is in use for a week; the record stays and says so', async () => {
  await removing();
  world.isInUse = true;
  world.nowMs += 7 * 24 * HOUR + MINUTE;
  expect(await run()).toMatchObject({
    outcome: 'failed',
    status: 'stalled',
    reason: 'certificate_in_use',
    message: 'No longer served, but its certificate is still in use. Remove the domain again to continue.',
  });
});

test('failed: a removal that has stalled waits for its operator', async () => {
  const before = await removing({ status: 'stalled', reason: 'gateway_busy' });
  expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'failed' });
  expect([world.calls, await claim()]).toEqual([[], before]);
});

test('of two deliveries at the same moment, one works and the other waits, or finds nothing left', async () => {
  await removing();
  await Promise.all([takeDown(ATTEMPT), takeDown(ATTEMPT)]);
  expect(world.calls).toEqual([`unmap ${NAME}`, ...REST]);
});

describe('the stop of the traffic', () => {
  const stopTraffic = trafficStop(world.parts);
  const attached = (changes: Partial<Domain> = {}) => {
    world.attach();
    return removing(changes);
  };

  test('deletes the mapping while somebody else is at work on the name, and says so in the record meanwhile', async () => {
    const domain = await attached();
    const inAMinute = new Date(world.nowMs + MINUTE).toISOString();
    let announced: Domain | undefined;
    world.onUnmapped = async () => {
      announced = await claim();
    };
    await world.store.holding(NAME, () => stopTraffic(domain));
    expect([...world.mapped]).toEqual([]);
    expect(announced).toMatchObject({ unmappedUntil: inAMinute });
    expect(await claim()).not.toHaveProperty('unmappedUntil');
  });

  test('keeps the removal from deleting the domain name, which could be the next one of the name, for a minute at most', async () => {
    const domain = await attached();
    let meanwhile: unknown;
    world.onUnmapped = async () => {
      world.onUnmapped = async () => {};
      world.nowMs += 20 * SECOND;
      meanwhile = await takeDown(ATTEMPT);
      throw new Error('The function ended.');
    };
    await expect(stopTraffic(domain)).rejects.toThrow('The function ended.');
    expect(meanwhile).toMatchObject({ outcome: 'waiting', waitSeconds: 40 });
    expect(world.gateway).toBe(GATEWAY);
    world.nowMs += 40 * SECOND;
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
    expect(world.gateway).toBeUndefined();
  });

  test('is announced until the first of two commands at once has ended, also where the second ends before', async () => {
    const domain = await attached();
    let meanwhile: unknown;
    world.onUnmapped = async () => {
      world.onUnmapped = async () => {};
      world.nowMs += SECOND;
      await stopTraffic(domain);
      meanwhile = await takeDown(ATTEMPT);
    };
    await stopTraffic(domain);
    expect(meanwhile).toMatchObject({ outcome: 'waiting', waitSeconds: 59 });
  });

  test('deletes nothing once the removal goes on to the domain name', async () => {
    const domain = await attached();
    world.slotInMs = 31_000;
    await takeDown(ATTEMPT);
    expect(await claim()).toMatchObject({ isUnmapped: true });
    world.calls.length = 0;
    await stopTraffic(domain);
    expect(world.calls).toEqual([]);
  });

  test('keeps a removal that was just about to delete the domain name from it', async () => {
    const domain = await attached();
    world.onUnmapped = async () => {
      world.onUnmapped = async () => {};
      await stopTraffic(domain);
    };
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 0 });
    expect(world.gateway).toBe(GATEWAY);
    expect(await takeDown(ATTEMPT)).toMatchObject({ outcome: 'done' });
  });

  test('begins again where the record is written at that moment', async () => {
    const domain = await attached();
    const { find } = world.store;
    vi.spyOn(world.store, 'find').mockImplementationOnce(async (...claimKey) => {
      const read = await find(...claimKey);
      await world.save(nextRevision(domain));
      return read;
    });
    await stopTraffic(domain);
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });

  test.each<[what: string, domain: Domain]>([
    ['was never mapped', removingDomain({ route: null })],
    ['is not removed', live()],
  ])('asks AWS nothing for a domain that %s', async (_, domain) => {
    await stopTraffic(await world.stored(domain));
    expect(world.calls).toEqual([]);
  });
});
