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
import { flowWorld } from './flow-world.ts';

const OPENED = `open ${TARGET} ${ENDPOINT}`;

const world = await flowWorld();
const { reconcile } = world.parts;
beforeEach(() => world.reset());

describe('a claim', () => {
  const claim = () => world.stored({ status: 'pending_dns', attempt: 1 });

  test('gets a host and a certificate, whose validation records are stored', async () => {
    const reconciled = await reconcile(await claim());
    expect(world.calls).toEqual([OPENED, 'request']);
    expect(reconciled.certificate).toMatchObject({
      arn: expect.stringContaining('certificate/'),
      validations: [VALIDATION],
    });
    expect(await world.found()).toEqual(reconciled);
    expect(reconciled.revision).toBe(2);
  });

  test('is not written when it is reconciled again, and no certificate is requested', async () => {
    const reconciled = await reconcile(await claim());
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
    await world.store.save(verifying);
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

  test('is unmapped when it is removed while it is mapped', async () => {
    const domain = await world.stored(live());
    world.onMapped = () =>
      world.store.save(nextRevision({ ...domain, status: 'removing', phase: 'removal', attempt: 3 }));
    await reconcile(domain);
    expect([...world.mapped]).toEqual([]);
  });

  test('is not mapped when it is no longer live', async () => {
    const domain = await world.stored(live());
    await world.store.save(nextRevision({ ...domain, status: 'removing', phase: 'removal', attempt: 3 }));
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

describe('a removal that is half a minute old', () => {
  const begun = async () => {
    const domain = await world.stored(removing());
    world.nowMs = Date.parse(domain.phaseStartedAt) + 30_000;
    return domain;
  };
  const ALL = [`unmap ${NAME}`, `stop earlier verification ${NAME} 3`, `start removal ${NAME} 3`];

  test.each([
    ['running', 3],
    ['ended', 3],
    ['ended', 2],
  ] as const)(
    'leaves the traffic to its flow, which is %s under the attempt %i: somebody else may have the name',
    async (flow, attempt) => {
      const domain = await begun();
      Object.assign(world, { flow, flowAttempt: attempt });
      expect(await reconcile(domain)).toEqual(domain);
      expect(world.calls).toEqual(ALL.slice(1));
    },
  );

  test('is carried out if its flow was never started', async () => {
    const domain = await begun();
    world.flow = 'absent';
    expect(await reconcile(domain)).toEqual(domain);
    expect(world.calls).toEqual(ALL);
  });

  test('was new a moment before: it stops the traffic, then the verification, and starts its flow', async () => {
    const domain = await begun();
    world.nowMs -= 1;
    Object.assign(world, { flow: 'running', flowAttempt: 3 });
    expect(await reconcile(domain)).toEqual(domain);
    expect(world.calls).toEqual(ALL);
  });
});

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
    await world.store.save(again);
    await reconcile(domain);
    expect(world.calls).toEqual([]);
  });

  test('is mapped again when it has gone live in the meantime, also if the function ends before that', async () => {
    const domain = await failed();
    const served = nextRevision({ ...domain, status: 'live', phase: 'live', attempt: domain.attempt + 1 });
    const { pendingMappings } = world.parts.projects;
    let pending: unknown;
    world.onUnmapped = async () => {
      await world.store.save(served);
      pending = await pendingMappings();
    };
    await reconcile(domain);
    expect(pending).toMatchObject([{ domain: NAME }]);
    expect(world.mapped.get(NAME)).toBe('abcdefghij');
    expect(await pendingMappings()).toEqual([]);
  });
});
