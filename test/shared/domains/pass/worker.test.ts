import { beforeEach, describe, expect, test, vi } from 'vitest';
import { FrontRefused } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import type { WAITS } from '../../../../shared/domains/life/flow-state.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { AT, certified, claimed, live, NAME, removing } from '../claimed-domain.ts';
import { keptClaims } from '../stored-claims.ts';
import { ATTEMPT, type FlowWorld, FOREIGN, flowWorld, GATEWAY, GONE_API, SECOND } from './flow-world.ts';

const world = await flowWorld();
const { run } = world;
beforeEach(() => {
  world.reset();
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  return () => vi.restoreAllMocks();
});

const PENDING = certified({ status: 'PENDING_VALIDATION' });
const VERIFYING = { certificate: PENDING } as const;
const ISSUING = { status: 'issuing', certificate: PENDING } as const;
const ATTACHING = { status: 'issuing', issuedAt: AT, certificate: certified() } as const;
const REMOVING = removing({ attempt: 2 });
const LIVE = live();

/** A domain, what is in its way, and how long it waits for that. */
type Waiting = readonly [what: string, domain: Partial<Domain>, trouble: Partial<FlowWorld>, seconds: number];

const NOT_REACHED = { reached: { kind: 'unreachable', why: 'It was refused.' } } as const;
const SLOT = { slotInMs: 62 * SECOND } as const;

const WAITING: { readonly [Wait in Exclude<(typeof WAITS)[number], 'WaitForOthers'>]: readonly Waiting[] } = {
  WaitForDns: [
    ['its records', VERIFYING, { zone: {} }, 15],
    ['its traffic', ATTACHING, { ...NOT_REACHED, zone: { 'www.zoo.example CNAME': ['other.example'] } }, 15],
  ],
  WaitForCertificate: [['its certificate', ISSUING, { certificate: PENDING }, 15]],
  WaitForSlot: [
    ['its turn at API Gateway', ATTACHING, SLOT, 62],
    ['its turn, in a removal', REMOVING, { ...SLOT, gateway: GATEWAY }, 62],
    ['its turn, live, after somebody has deleted its domain name', LIVE, SLOT, 62],
  ],
  WaitForRelease: [
    ['others to give its name up', ATTACHING, { gateway: FOREIGN }, 15],
    ['API Gateway to accept its name', ATTACHING, { refusal: new FrontRefused('Not known.') }, 15],
    ['its certificate, which is in use, in a removal', REMOVING, { isInUse: true }, 300],
  ],
  WaitForProject: [
    ['a paid plan', ATTACHING, { projectFields: { plan: 'free' } }, 15],
    ['the API of its project', ATTACHING, { projectFields: { apiId: GONE_API } }, 15],
  ],
  WaitForVisitors: [['its visitors', ATTACHING, NOT_REACHED, 15]],
};

describe.each(Object.entries(WAITING))('%s', (next, rows) => {
  test.each(rows)('for %s', async (_, domain, trouble, waitSeconds) => {
    await world.stored(domain);
    Object.assign(world, trouble);
    expect(await run()).toMatchObject({ next, waitSeconds });
  });
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
  await world.stored(LIVE);
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

describe('the history of an execution', async () => {
  // A wait of a month is hundreds of rounds.
  const { store, keep } = keptClaims();
  const inMemory = await flowWorld({ domains: store });

  /** A Lambda task has 5 history events, a Choice and a Wait 2 each. */
  const EVENTS_PER_ROUND = 9;
  const MAX_EVENTS = 8000;

  /** The ways to wait for something that never comes: the domain, and what is in its way. */
  test.each<[what: string, domain: Partial<Domain>, trouble: Partial<FlowWorld>]>([
    ['for records', { ...VERIFYING, provenAt: AT }, { zone: {} }],
    ['for a certificate', ISSUING, { certificate: PENDING }],
    ['for API Gateway to accept a domain name', ATTACHING, { refusal: new FrontRefused('Not known.') }],
    ['for a busy API Gateway', ATTACHING, { isBusy: true }],
    ['for others to give up a domain name', ATTACHING, { gateway: FOREIGN }],
    ['for a domain that is not reached', ATTACHING, NOT_REACHED],
    ['for a paid plan', ATTACHING, { projectFields: { plan: 'free' } }],
    ['for a certificate that is in use', REMOVING, { isInUse: true }],
    ['for a busy API Gateway, in a removal', REMOVING, { gateway: GATEWAY, isBusy: true }],
  ])('a wait %s ends in failure, far below the limit of a history', async (_, domain, trouble) => {
    inMemory.reset();
    await keep(claimed({ status: 'verifying', attempt: 2, ...domain }));
    let longest = 0;
    let rounds = 0;
    for (;;) {
      Object.assign(inMemory, trouble);
      const claim = await inMemory.found();
      const { next, waitSeconds, isResting } = await inMemory.run(claim);
      longest = Math.max(longest, ++rounds);
      if (next === 'Failed') break;
      inMemory.nowMs += waitSeconds * SECOND;
      if (!isResting) {
        expect(next).toMatch(/^Wait/);
        continue;
      }
      // The next execution begins when the rest is over.
      expect(next).toBe('Done');
      const { isResting: _, ...rested } = await inMemory.found();
      inMemory.nowMs = Date.parse(rested.nextCheckAt ?? '');
      await keep({ ...rested, attempt: rested.attempt + 1 });
      rounds = 0;
    }
    expect(longest * EVENTS_PER_ROUND).toBeLessThan(MAX_EVENTS);
  });
});
