import { beforeEach, describe, expect, test } from 'vitest';
import { FrontBusy, FrontRefused } from '../../../../shared/domains/front.ts';
import { type Domain, nextRevision } from '../../../../shared/domains/life/domain.ts';
import { LEASE_MS } from '../../../../shared/domains/life/lease.ts';
import { dnsCheck } from '../../../../shared/domains/steps/verification.ts';
import { certified, claimed, NAME, removing } from '../claimed-domain.ts';
import { keptClaims } from '../stored-claims.ts';
import { ATTEMPT, type FlowWorld, FOREIGN, flowWorld, GATEWAY, SECOND } from './flow-world.ts';

const world = await flowWorld();
const { checkDns, checkCertificate } = world.parts.verification;
beforeEach(() => world.reset());

test('changes nothing when it runs again for a phase that has passed', async () => {
  const before = await world.stored({ status: 'issuing', phase: 'attachment' });
  world.zone = {};
  expect(await checkDns(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
  expect(await checkCertificate(ATTEMPT)).toMatchObject({ outcome: 'done', waitSeconds: 0 });
  expect(await world.found()).toEqual(before);
});

test.each(Object.entries({ checkDns, checkCertificate }))(
  '%s changes nothing when another attempt has begun, or this one has failed, or the domain is gone',
  async (_, step) => {
    const superseded = await world.stored({ attempt: 3 });
    expect(await step(ATTEMPT)).toEqual({ ...ATTEMPT, outcome: 'superseded', waitSeconds: 0 });
    expect(await world.found()).toEqual(superseded);
    const failed = await world.stored({ status: 'failed' });
    expect(await step(ATTEMPT)).toMatchObject({ outcome: 'failed' });
    expect(await world.found()).toEqual(failed);
    expect(await step({ ...ATTEMPT, domain: 'gone.zoo.example' })).toMatchObject({ outcome: 'superseded' });
  },
);

test('waits while somebody else is at work on the name, and is repeated', async () => {
  const before = await world.stored();
  await world.store.holding(NAME, async () => {
    expect(await checkDns(ATTEMPT)).toEqual({ ...ATTEMPT, outcome: 'waiting', waitSeconds: 15 });
    // One who takes this long has probably ended: the end of the lease is waited for.
    world.nowMs += 20 * SECOND;
    expect(await checkDns(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds: 70 });
  });
  expect(await world.found()).toEqual(before);
  expect(await checkDns(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

/** How others get ahead of a step, and when it is repeated. */
test.each<[what: string, waitSeconds: number, happen: (before: Domain) => Promise<unknown>]>([
  [
    'a command writes the record meanwhile',
    0,
    before => world.save(nextRevision({ ...before, message: 'Theirs.' })),
  ],
  [
    'it outlives its lease, and another is at work by then',
    15,
    async () => {
      world.nowMs += LEASE_MS;
      await new Promise<void>(resolve => {
        void world.store.holding(NAME, async () => resolve());
      });
    },
  ],
])('writes nothing where %s', async (_, waitSeconds, happen) => {
  const before = await world.stored();
  let written: Domain | undefined;
  const overtaken = dnsCheck({
    ...world.parts,
    async vantagePoints() {
      if (!written) {
        await happen(before);
        written = await world.found();
      }
      return world.parts.vantagePoints(NAME);
    },
  });
  expect(await overtaken(ATTEMPT)).toMatchObject({ outcome: 'waiting', waitSeconds });
  expect(await world.found()).toEqual(written);
  expect(await overtaken(ATTEMPT)).toMatchObject({ outcome: 'done' });
});

// A wait of days is hundreds of rounds.
const { store: inMemoryStore, keep } = keptClaims();
const inMemory = await flowWorld({ domains: inMemoryStore });

describe('the history of an execution', () => {
  /** A Lambda task has 5 history events, a Choice and a Wait 2 each. */
  const EVENTS_PER_ROUND = 9;
  const MAX_EVENTS = 20_000;

  const { verification, attachment, removal } = inMemory.parts;
  const steps = { ...verification, ...attachment, ...removal };
  const pending = certified({ status: 'PENDING_VALIDATION' });
  const issuing = { status: 'issuing', phase: 'certificate', certificate: pending } as const;
  const attaching = { status: 'issuing', phase: 'attachment', certificate: certified() } as const;
  const busy = new FrontBusy('Too Many Requests');
  const refusal = new FrontRefused('Not known.');
  const reached = { kind: 'unreachable', why: 'There was no response in time.' } as const;

  /** The ways to wait for something that never comes: the step, the domain, and what is in the way. */
  test.each<[what: string, step: keyof typeof steps, domain: Partial<Domain>, trouble: Partial<FlowWorld>]>([
    ['for records', 'checkDns', { certificate: certified() }, { zone: {} }],
    ['for a certificate', 'checkCertificate', issuing, { certificate: pending }],
    ['for API Gateway to accept a domain name', 'attach', attaching, { refusal }],
    ['for a busy API Gateway', 'attach', attaching, { refusal: busy }],
    ['for others to give up a domain name', 'attach', attaching, { gateway: FOREIGN }],
    ['for a domain that is not reached', 'attach', attaching, { reached }],
    ['for a paid plan', 'attach', attaching, { projectFields: { plan: 'free' } }],
    ['for a certificate that is in use', 'takeDown', removing(), { isInUse: true }],
    ['for a busy API Gateway, in a removal', 'takeDown', removing(), { gateway: GATEWAY, refusal: busy }],
  ])('a wait %s ends in failure, far below the limit of a history', async (_, step, domain, trouble) => {
    inMemory.reset();
    await keep(claimed({ status: 'verifying', ...domain, attempt: 2 }));
    let rounds = 0;
    let result = { outcome: 'waiting', waitSeconds: 0 };
    while (result.outcome === 'waiting' && rounds * EVENTS_PER_ROUND < MAX_EVENTS) {
      inMemory.nowMs += result.waitSeconds * SECOND;
      Object.assign(inMemory, trouble);
      result = await steps[step](ATTEMPT);
      rounds += 1;
    }
    expect(result.outcome).toBe('failed');
    // Three phases of a verification follow each other in one execution.
    expect(rounds * EVENTS_PER_ROUND * 3).toBeLessThan(MAX_EVENTS);
  });
});
