import { beforeEach, describe, expect, test, vi } from 'vitest';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import type { FlowState } from '../../../../shared/domains/life/flow-state.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { worker } from '../../../../shared/domains/pass/worker.ts';
import { AT, certified, claimed, live, NAME, removing, SECOND } from '../claimed-domain.ts';
import { keptClaims } from '../stored-claims.ts';
import { ATTEMPT, flowWorld } from './flow-world.ts';

const world = await flowWorld();
const { run } = world;
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const VERIFYING = { certificate: certified({ status: 'PENDING_VALIDATION' }) } as const;
const REMOVING = removing({ attempt: 2 });
const attaching = (reason: Domain['reason'], changes: Partial<Domain> = {}) =>
  claimed({ status: 'issuing', issuedAt: AT, reason, ...changes });

/** The state that an execution goes on with after a pass: what the claim waits for, if anything. */
test.each<[next: FlowState, what: string, claim: Domain, seconds?: number]>([
  ['WaitForDns', 'its records', claimed({ status: 'verifying' }), 15],
  ['WaitForDns', 'its traffic', attaching('traffic_record_missing'), 15],
  ['WaitForCertificate', 'its certificate', claimed({ status: 'issuing' }), 15],
  ['WaitForSlot', 'its turn at API Gateway', attaching(null, { slotAt: AT }), 62],
  ['WaitForSlot', 'its turn, in a removal', removing({ slotAt: AT }), 62],
  ['WaitForSlot', 'its turn, although it is live', live({ slotAt: AT }), 62],
  ['WaitForRelease', 'others to give its name up', attaching('domain_name_foreign'), 15],
  ['WaitForRelease', 'what is in use, in a removal', removing(), 300],
  ['WaitForProject', 'its project', attaching('plan_required'), 15],
  ['WaitForVisitors', 'its visitors', attaching('https_unreachable'), 15],
  ['WaitForVisitors', 'nothing that it names', attaching(null), 15],
  ['Done', 'nothing', live()],
  ['Done', 'what a sweep looks at', live({ reason: 'host_record_changed' }), 1800],
  ['Done', 'something for an hour', { ...attaching('plan_required'), isResting: true }, 3600],
  ['Failed', 'nothing, as it has failed', live({ status: 'failed' })],
  ['Failed', 'nothing, as its removal has stalled', removing({ status: 'stalled' })],
])('%s: a domain that waits for %s', async (next, _, claim, seconds) => {
  const wake = worker({ domains: keptClaims().store, tend: async () => ({ claim, seconds }) });
  const { domain, project, attempt } = claim;
  const waitSeconds = next.startsWith('Wait') ? seconds : 0;
  expect(await wake({ domain, project, attempt })).toEqual({ domain, project, attempt, next, waitSeconds });
});

describe('WaitForOthers', () => {
  test('while somebody else is at work on the name', async () => {
    const before = await world.stored(VERIFYING);
    await world.store.holding(NAME, async () => {
      expect(await run()).toEqual({ ...before, next: 'WaitForOthers', waitSeconds: 15 });
      // One who takes this long has probably ended: the end of the lease is waited for.
      world.nowMs += 20 * SECOND;
      expect(await run()).toEqual({ ...before, next: 'WaitForOthers', waitSeconds: 70 });
    });
    expect(await run()).toMatchObject({ next: 'Done', status: 'live' });
  });

  /** Lets something happen whenever a pass looks at DNS. */
  const whileItLooks = (happen: () => Promise<unknown>) => ({
    vantagePoints: async (name: string) => {
      await happen();
      return world.parts.vantagePoints(name);
    },
  });

  test('a pass that outlives its lease writes nothing where another is at work by then', async () => {
    const before = await world.stored(VERIFYING);
    world.zone = {};
    const outliving = whileItLooks(async () => {
      world.nowMs += LEASE_MS;
      await new Promise<void>(resolve => {
        void world.store.holding(NAME, async () => resolve());
      });
    });
    expect(await run(ATTEMPT, outliving)).toEqual({ ...before, next: 'WaitForOthers', waitSeconds: 15 });
  });

  test('a domain that commands change all the time is left to them', async () => {
    await world.stored(VERIFYING);
    const changing = whileItLooks(async () => world.save(nextRevision(await world.found())));
    expect(await run(ATTEMPT, changing)).toMatchObject({ next: 'WaitForOthers', status: 'verifying' });
  });
});

test('Done: of two deliveries at the same moment one removes the domain, and the other waits or finds nothing', async () => {
  await world.stored(REMOVING);
  const ends = await Promise.all([run(), run()]);
  expect(ends.map(({ next }) => next)).toContain('Done');
  expect(world.calls.filter(call => call === 'delete certificates')).toHaveLength(1);
});

test('Done: a late delivery finds the domain live, and looks after it', async () => {
  world.attach();
  await world.stored(live());
  world.mapped.clear();
  expect(await run()).toMatchObject({ next: 'Done', waitSeconds: 0, status: 'live', reason: null });
  expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
});

test.each<[what: string, domain: Partial<Domain>]>([
  ['has failed', { status: 'failed' }],
  [
    'is being removed, which has stalled',
    removing({ attempt: 2, status: 'stalled', reason: 'gateway_busy', route: null }),
  ],
])('Failed: a domain that %s is left as it is', async (_, domain) => {
  const before = await world.stored(domain);
  expect(await run()).toEqual({ ...before, next: 'Failed', waitSeconds: 0 });
  expect(world.calls).toEqual([]);
});

test('Superseded: another attempt has begun; Done: the domain is gone', async () => {
  const before = await world.stored({ ...VERIFYING, attempt: 3 });
  expect(await run()).toEqual({ ...before, next: 'Superseded', waitSeconds: 0 });
  await world.forget(before);
  expect(await run()).toEqual({ next: 'Done', waitSeconds: 0 });
  expect(world.calls).toEqual([]);
});
