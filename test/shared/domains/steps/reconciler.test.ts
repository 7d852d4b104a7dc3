import { beforeEach, describe, expect, test } from 'vitest';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import {
  AT,
  certified,
  claimed,
  ENDPOINT,
  live,
  NAME,
  removing,
  TARGET,
  VALIDATION,
} from '../claimed-domain.ts';
import { type FlowWorld, flowWorld } from './flow-world.ts';

const OPENED = `open ${TARGET} ${ENDPOINT}`;

const world = await flowWorld();
const { reconcile } = world.parts;
beforeEach(() => world.reset());

describe('a claim', () => {
  const claim = () => world.stored({ status: 'pending_dns', attempt: 1 });

  test('gets a host and a certificate, whose validation records are stored; again it is not written', async () => {
    const reconciled = await reconcile(await claim());
    expect(world.calls).toEqual([OPENED, 'request']);
    const certificate = { arn: expect.stringContaining('certificate/'), validations: [VALIDATION] };
    expect(reconciled).toMatchObject({ revision: 2, certificate });
    expect(await world.found()).toEqual(reconciled);
    world.calls.length = 0;
    expect(await reconcile(reconciled)).toEqual(reconciled);
    expect(world.calls).toEqual([OPENED]);
    expect(await world.found()).toEqual(reconciled);
  });

  test('gets validation records that ACM names later when it is reconciled again', async () => {
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    const first = await reconcile(await claim());
    expect(first.certificate.validations).toEqual([]);
    world.certificate = { ...world.certificate, validations: [VALIDATION] };
    expect((await reconcile(first)).certificate.validations).toEqual([VALIDATION]);
  });

  test('is returned as someone else has changed it in the meantime', async () => {
    const before = await claim();
    const verifying = nextRevision({ ...before, status: 'verifying', attempt: 2 });
    await world.save(verifying);
    expect(await reconcile(before)).toEqual(verifying);
    expect(await world.found()).toEqual(verifying);
  });
});

test('a verification gets what a claim gets, and its flow is started', async () => {
  const reconciled = await reconcile(await world.stored({ status: 'verifying', attempt: 2 }));
  expect(world.calls).toEqual([OPENED, 'request', `start verification ${NAME} 2`]);
  expect(await world.found()).toEqual(reconciled);
});

describe('a live domain', () => {
  test('is mapped to the API of its project, and again when that changes meanwhile', async () => {
    const domain = await world.stored(live());
    expect(await reconcile(domain)).toEqual(domain);
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
    world.onMapped = async () => {
      world.apiStage = { apiId: 'redirects1', stage: 'test-redirects' };
    };
    await reconcile(domain);
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  });

  test('is mapped at most ten times when the API keeps changing', async () => {
    const domain = await world.stored(live());
    let changes = 0;
    world.onMapped = async () => {
      changes += 1;
      world.apiStage = { apiId: `api${changes}`, stage: 'test' };
    };
    await reconcile(domain);
    expect(changes).toBeLessThanOrEqual(10);
  });

  test('is unmapped when it is removed while it is mapped, and not mapped when it is no longer live', async () => {
    const domain = await world.stored(live());
    world.onMapped = () => world.save(removing({ revision: domain.revision + 1 }));
    await reconcile(domain);
    expect([...world.mapped]).toEqual([]);
    world.calls.length = 0;
    await reconcile(domain);
    expect(world.calls.filter(call => call.startsWith('map'))).toEqual([]);
  });

  test('is left as it is when its project is gone', async () => {
    const domain = await world.stored(live());
    world.apiStage = undefined;
    await reconcile(domain);
    expect(world.calls).toEqual([]);
  });
});

const STOPPED = [`stop earlier verification ${NAME} 3`, `start removal ${NAME} 3`];

test.each<[what: string, ageMs: number, flow: Partial<FlowWorld>, calls: readonly string[]]>([
  ['stops the traffic first', 29_999, { flow: 'running', flowAttempt: 3 }, [`unmap ${NAME}`]],
  ['stops it if its flow was never started', 30_000, { flow: 'absent' }, [`unmap ${NAME}`]],
  // Somebody else may have the name by then.
  ['leaves the traffic to its flow', 30_000, { flow: 'running', flowAttempt: 3 }, []],
  ['leaves it to one that has ended', 30_000, { flow: 'ended', flowAttempt: 3 }, []],
  ['leaves it to one of the attempt before', 30_000, { flow: 'ended', flowAttempt: 2 }, []],
])(
  'a removal %s after %i ms, then stops the verification and starts its flow',
  async (_, ageMs, flow, calls) => {
    const domain = await world.stored(removing());
    Object.assign(world, flow, { nowMs: Date.parse(domain.phaseStartedAt) + ageMs });
    expect(await reconcile(domain)).toEqual(domain);
    expect(world.calls).toEqual([...calls, ...STOPPED]);
  },
);

test.each([
  ['a removal that is taken down', removing({ takenDownAt: AT })],
  ['a removal that has stalled', removing({ status: 'stalled', reason: 'gateway_busy' })],
  ['a domain that is issuing', claimed({ status: 'issuing', certificate: certified() })],
])('%s asks AWS nothing', async (_, before) => {
  const domain = await world.stored(before);
  expect(await reconcile(domain)).toEqual(domain);
  expect(world.calls).toEqual([]);
});

describe('a domain that failed', () => {
  const failed = () => world.stored({ status: 'failed', certificate: certified() });

  test('is not mapped any more', async () => {
    const domain = await failed();
    expect(await reconcile(domain)).toEqual(domain);
    expect(world.calls).toEqual([`unmap ${NAME}`]);
  });

  test('keeps its mapping when it is verified again', async () => {
    const domain = await failed();
    const again = nextRevision({ ...domain, status: 'verifying', attempt: domain.attempt + 1 });
    await world.save(again);
    await reconcile(domain);
    expect(world.calls).toEqual([]);
  });

  test('is mapped again when it has gone live in the meantime, also if the function ends before that', async () => {
    const domain = await failed();
    const served = nextRevision({ ...domain, status: 'live', phase: 'live', attempt: domain.attempt + 1 });
    const { pendingMappings } = world.parts.projects;
    let pending: unknown;
    world.onUnmapped = async () => {
      await world.save(served);
      pending = await pendingMappings();
    };
    await reconcile(domain);
    expect(pending).toMatchObject([{ domain: NAME }]);
    expect(world.mapped.get(NAME)).toBe('abcdefghij');
    expect(await pendingMappings()).toEqual([]);
  });
});
