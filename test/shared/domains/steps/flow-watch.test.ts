import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Domain, NO_CERTIFICATE, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { reconcileAll } from '../../../../shared/domains/steps/scheduled-work.ts';
import { AT, certified, live, NAME, removing as removingDomain } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld, HOUR } from './flow-world.ts';

const world = await flowWorld();
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const waiting = { rounds: 3, nextCheckAt: AT, slotAt: AT, certificate: certified() };
const ISSUING = { ...waiting, status: 'issuing', phase: 'certificate' } as const;
const issuing = () => world.stored(ISSUING);
const removing = (changes = {}) => world.stored(removingDomain({ ...waiting, ...changes }));

describe('a verification whose execution has ended', () => {
  test.each(['verifying', 'issuing'] as const)(
    'goes on in the same phase under the next attempt, with its clocks as they were (%s)',
    async status => {
      const before = await world.stored({ ...waiting, status, phase: 'certificate' });
      world.flow = 'ended';
      world.nowMs += HOUR;
      expect(await reconcileAll(world.parts)).toBe(1);
      const next = { attempt: 3, revision: before.revision + 1, slotAt: null, nextCheckAt: null };
      expect(await world.found()).toEqual({ ...before, ...next });
      expect(world.calls).toEqual([`start verification ${NAME} 3`]);
    },
  );

  test('fails when the execution keeps ending until every deadline has passed', async () => {
    await issuing();
    world.flow = 'ended';
    world.nowMs += 73 * HOUR;
    await reconcileAll(world.parts);
    expect(await world.found()).toMatchObject({
      status: 'failed',
      reason: 'flow_ended',
      message: 'The verification kept stopping before it finished. Verify again to continue.',
    });
    expect(world.calls).toEqual([]);
  });

  test('is left alone when its last step has taken it live meanwhile', async () => {
    const before = await issuing();
    const served = nextRevision({ ...before, status: 'live', phase: 'live' });
    const stateOf = vi.spyOn(world.parts.flows, 'stateOf').mockImplementationOnce(async () => {
      await world.store.save(served);
      return 'ended';
    });
    await reconcileAll(world.parts);
    expect(stateOf).toHaveBeenCalledOnce();
    expect([await world.found(), world.calls]).toEqual([served, []]);
  });
});

describe('a removal whose execution has ended', () => {
  test.each([{}, { takenDownAt: AT }])('goes on under the next attempt (%o)', async changes => {
    await removing(changes);
    world.flow = 'ended';
    await reconcileAll(world.parts);
    expect(await world.found()).toMatchObject({ status: 'removing', attempt: 4, ...changes });
    expect(world.calls).toEqual([`start removal ${NAME} 4`]);
  });

  test('stalls when the execution keeps ending for longer than a week', async () => {
    await removing();
    world.flow = 'ended';
    world.nowMs += 8 * 24 * HOUR;
    await reconcileAll(world.parts);
    expect(await world.found()).toMatchObject({ status: 'stalled', reason: 'flow_ended' });
    expect(world.calls).toEqual([]);
  });

  test('is left alone when it has stalled: it waits for an operator', async () => {
    const before = await removing({ status: 'stalled', reason: 'certificate_in_use' });
    world.flow = 'ended';
    expect(await reconcileAll(world.parts)).toBe(0);
    expect(await world.found()).toEqual(before);
  });
});

test.each<[what: string, flow: FlowWorld['flow'], domain: Partial<Domain>, started: number | null]>([
  ['is running is not restarted', 'running', { rounds: 2 }, null],
  ['never began is started', 'absent', {}, 2],
  ['a watch that ended at once has restarted is started', 'absent', ISSUING, 2],
  ['ended before its first step is started under the next attempt', 'ended', {}, 3],
])('a flow that %s', async (_, flow, domain, started) => {
  const before = await world.stored({ status: 'verifying', certificate: certified(), ...domain });
  world.flow = flow;
  expect(await reconcileAll(world.parts)).toBe(started ? 1 : 0);
  const { status, phase } = before;
  expect(await world.found()).toMatchObject({ status, phase, attempt: started ?? 2 });
  const starts = world.calls.filter(call => call.startsWith('start'));
  expect(starts).toEqual(started ? [`start verification ${NAME} ${started}`] : []);
});

test('a flow that cannot be asked about does not keep the rest from being done, and is reported', async () => {
  await issuing();
  const overdue = await world.stored({ domain: 'other.zoo.example', certificate: NO_CERTIFICATE });
  vi.spyOn(world.parts.flows, 'stateOf').mockRejectedValue(new Error('Rate exceeded'));
  const remap = vi.fn(async () => []);
  await expect(reconcileAll({ ...world.parts, remap })).rejects.toThrow('The work on some domains failed.');
  expect(remap).toHaveBeenCalledOnce();
  const reconciled = await world.found(overdue.domain);
  expect(reconciled.certificate.arn).not.toBeNull();
  await world.store.forget(reconciled, world.nowMs);
});

test('a domain that failed within a day is unmapped, and counts as nothing to do', async () => {
  await world.stored({
    status: 'failed',
    phase: 'attachment',
    certificate: certified(),
    history: [{ at: AT, status: 'failed', what: 'No records.' }],
  });
  expect(await reconcileAll(world.parts)).toBe(0);
  expect(world.calls).toEqual([`unmap ${NAME}`]);
});

describe('recordFailure', () => {
  test.each([
    [
      'fails a verification',
      { status: 'issuing' },
      'failed',
      'Something went wrong on our side. Verify again; if it happens again, tell us.',
    ],
    [
      'stalls a removal, which can be started again',
      { status: 'removing', phase: 'removal' },
      'stalled',
      "No longer served, but some of its AWS resources couldn't be deleted. Remove the domain again to continue.",
    ],
  ] as const)('%s', async (_, before, status, message) => {
    await world.stored(before);
    const failure = { outcome: 'failed', status, reason: 'internal_error', message };
    expect(await world.run(world.parts.recordFailure)).toMatchObject(failure);
  });

  test('leaves a live domain as it is', async () => {
    const before = await world.stored(live());
    expect(await world.run(world.parts.recordFailure)).toMatchObject({ ...before, outcome: 'failed' });
  });
});
