import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { MAX_RESTARTS } from '../../../../shared/domains/life/due.ts';
import { removalStarted } from '../../../../shared/domains/life/wishes.ts';
import { reconciler, trafficStop } from '../../../../shared/domains/pass/reconciler.ts';
import {
  AT,
  certified,
  ENDPOINT,
  live,
  MINUTE,
  NAME,
  removing,
  SECOND,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { ATTEMPT, flowWorld, GATEWAY } from './flow-world.ts';

const OPENED = `open ${TARGET} ${ENDPOINT}`;

const world = await flowWorld();
const { reconcile } = world.parts;
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

describe('a claim', () => {
  const claim = () => world.stored({ status: 'pending_dns', attempt: 1 });

  test('gets a host and a certificate, whose validation records are stored', async () => {
    const reconciled = await reconcile(await claim());
    expect(world.calls).toEqual([OPENED, 'request']);
    const certificate = { arn: expect.stringContaining('certificate/'), validations: [VALIDATION] };
    expect(reconciled).toMatchObject({ revision: 2, certificate });
    expect(await world.found()).toEqual(reconciled);
  });

  test('gets validation records that ACM names later when it is reconciled again, and is not written before', async () => {
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    const first = await reconcile(await claim());
    expect(first.certificate.validations).toEqual([]);
    expect(await reconcile(first)).toEqual(first);
    world.certificate = { ...world.certificate, validations: [VALIDATION] };
    expect((await reconcile(first)).certificate.validations).toEqual([VALIDATION]);
    expect(world.calls.filter(call => call === 'request')).toHaveLength(1);
  });

  test('is returned as someone else has changed it in the meantime', async () => {
    const before = await claim();
    const issuing = nextRevision({ ...before, status: 'issuing', attempt: 2 });
    await world.save(issuing);
    expect([await reconcile(before), world.calls]).toEqual([issuing, []]);
  });

  test('that is removed while its certificate is requested keeps its ARN, by which the removal finds it', async () => {
    const before = await claim();
    const removed = nextRevision(removalStarted(before, world.nowMs));
    const { certificates } = world.parts;
    const ensure: typeof certificates.ensure = async domain => {
      await world.save(removed);
      return certificates.ensure(domain);
    };
    const removedMeanwhile = reconciler({ ...world.parts, certificates: { ...certificates, ensure } });
    expect(await removedMeanwhile(before)).toMatchObject({ status: 'removing' });
    const certificate = { arn: expect.stringContaining('certificate/') };
    expect(await world.found()).toMatchObject({ status: 'removing', certificate });
  });
});

test('a verification gets what a claim gets, and its flow is started', async () => {
  const reconciled = await reconcile(await world.stored());
  expect(world.calls).toEqual([OPENED, 'request', `start verification ${NAME} 2`]);
  expect(await world.found()).toEqual(reconciled);
});

test('a verification of a name that somebody else is at work on is started; its step waits', async () => {
  const before = await world.stored();
  vi.spyOn(world.store, 'holding').mockResolvedValueOnce(undefined);
  expect(await reconcile(before)).toEqual(before);
  expect(world.calls).toEqual([`start verification ${NAME} 2`]);
});

test('a removal stops the traffic first, then starts its flow', async () => {
  await reconcile(await world.stored(removing()));
  expect(world.calls).toEqual([`unmap ${NAME}`, `start removal ${NAME} 3`]);
});

test('a removal whose passes have not stopped the traffic yet does so, and has its flow', async () => {
  await reconcile(await world.stored(removing({ rounds: 1, nextCheckAt: AT })));
  expect(world.calls).toEqual([`unmap ${NAME}`]);
});

test.each([
  [
    'a removal that has gone on to the domain name',
    removing({ rounds: 1, nextCheckAt: AT, isUnmapped: true }),
  ],
  ['a removal that has stalled', removing({ status: 'stalled', reason: 'gateway_busy' })],
])('%s asks AWS nothing', async (_, before) => {
  const domain = await world.stored(before);
  expect(await reconcile(domain)).toEqual(domain);
  expect(world.calls).toEqual([]);
});

describe('a flow of which no step was done when it was due', () => {
  const waiting = { rounds: 3, nextCheckAt: AT, slotAt: AT, certificate: certified() };
  const ISSUING = { ...waiting, status: 'issuing' } as const;
  const lost = async (changes: Partial<Domain> = ISSUING) => {
    const before = await world.stored(changes);
    world.nowMs += 15 * MINUTE + 1;
    return before;
  };

  test.each<[flow: string, changes: Partial<Domain>]>([
    ['verification', { ...waiting, status: 'verifying' }],
    ['verification', ISSUING],
    ['removal', removing({ ...waiting, attempt: 2 })],
  ])('goes on where it was, under the next attempt: %s', async (flow, changes) => {
    const before = await lost(changes);
    await reconcile(before);
    const nextCheckAt = new Date(world.nowMs).toISOString();
    expect(await world.found()).toMatchObject({ attempt: 3, slotAt: null, nextCheckAt, restarts: 1 });
    const starts = () => world.calls.filter(call => call.startsWith('start'));
    expect(starts()).toEqual([`start ${flow} ${NAME} 3`]);
    // It has as long as the one before.
    await reconcile(await world.found());
    expect(starts()).toHaveLength(1);
  });

  test('counts its restarts until a step is done', async () => {
    await lost();
    await reconcile(await world.found());
    world.nowMs += 15 * MINUTE + 1;
    await reconcile(await world.found());
    expect(await world.found()).toMatchObject({ restarts: 2, attempt: 4 });
    world.certificate = certified({ status: 'PENDING_VALIDATION' });
    await world.run({ ...ATTEMPT, attempt: 4 });
    expect(await world.found()).not.toHaveProperty('restarts');
  });

  test.each<[status: string, message: string, changes: Partial<Domain>]>([
    ['failed', 'Something went wrong on our side. Re-verify; if it happens again, tell us.', ISSUING],
    [
      'stalled',
      "No longer served, but some of its AWS resources couldn't be deleted. Remove the domain again to continue.",
      removing(waiting),
    ],
  ])('is given up after five restarts: %s', async (status, message, changes) => {
    const before = await lost({ ...changes, restarts: MAX_RESTARTS });
    await reconcile(before);
    expect(await world.found()).toMatchObject({ status, reason: 'internal_error', message });
    expect(world.calls).toEqual([]);
  });

  test('is restarted although somebody has the lease of the name, who may be ending again and again', async () => {
    const before = await lost();
    await world.store.holding(NAME, () => reconcile(before));
    expect(await world.found()).toMatchObject({ attempt: 3 });
  });

  test('is left alone when a step was done meanwhile', async () => {
    const before = await lost();
    const done = nextRevision({ ...before, nextCheckAt: new Date(world.nowMs).toISOString() });
    await world.save(done);
    expect(await reconcile(before)).toEqual(done);
    expect([await world.found(), world.calls]).toEqual([done, []]);
  });
});

describe('the stop of the traffic', () => {
  const stopTraffic = trafficStop(world.parts);
  const attached = () => {
    world.attach();
    return world.stored(removing({ attempt: ATTEMPT.attempt }));
  };

  test('deletes the mapping while somebody else is at work on the name, and says so in the record meanwhile', async () => {
    const domain = await attached();
    const inAMinute = new Date(world.nowMs + MINUTE).toISOString();
    let announced: Domain | undefined;
    world.onUnmapped = async () => {
      announced = await world.found();
    };
    await world.store.holding(NAME, () => stopTraffic(domain));
    expect([...world.mapped]).toEqual([]);
    expect(announced).toMatchObject({ unmappedUntil: inAMinute });
    expect(await world.found()).not.toHaveProperty('unmappedUntil');
  });

  test('keeps the removal from deleting the domain name, which could be the next one of the name, for a minute at most', async () => {
    const domain = await attached();
    let meanwhile: unknown;
    world.onUnmapped = async () => {
      world.onUnmapped = async () => {};
      world.nowMs += 20 * SECOND;
      meanwhile = await world.run();
      throw new Error('The function ended.');
    };
    await expect(stopTraffic(domain)).rejects.toThrow('The function ended.');
    expect(meanwhile).toMatchObject({ next: 'WaitForRelease', waitSeconds: 40 });
    expect(world.gateway).toBe(GATEWAY);
    world.nowMs += 40 * SECOND;
    expect(await world.run()).toMatchObject({ next: 'Done' });
    expect(world.gateway).toBeUndefined();
  });

  test('is announced until the first of two commands at once has ended, also where the second ends before', async () => {
    const domain = await attached();
    let meanwhile: unknown;
    world.onUnmapped = async () => {
      world.onUnmapped = async () => {};
      world.nowMs += SECOND;
      await stopTraffic(domain);
      meanwhile = await world.run();
    };
    await stopTraffic(domain);
    expect(meanwhile).toMatchObject({ next: 'WaitForRelease', waitSeconds: 59 });
  });

  test('deletes nothing once the removal goes on to the domain name', async () => {
    const domain = await attached();
    world.slotInMs = 31_000;
    await world.run();
    expect(await world.found()).toMatchObject({ isUnmapped: true });
    world.calls.length = 0;
    await stopTraffic(domain);
    expect(world.calls).toEqual([]);
  });

  test('keeps a removal that was just about to delete the domain name from it', async () => {
    const domain = await attached();
    world.onUnmapped = async () => {
      world.onUnmapped = () => Promise.reject(new Error('The function ended.'));
      await expect(stopTraffic(domain)).rejects.toThrow('The function ended.');
      world.onUnmapped = async () => {};
    };
    expect(await world.run()).toMatchObject({ next: 'WaitForRelease', waitSeconds: 60 });
    expect(world.gateway).toBe(GATEWAY);
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
    ['was never mapped', removing({ route: null })],
    ['is not removed', live()],
  ])('asks AWS nothing for a domain that %s', async (_, domain) => {
    await stopTraffic(await world.stored(domain));
    expect(world.calls).toEqual([]);
  });
});
