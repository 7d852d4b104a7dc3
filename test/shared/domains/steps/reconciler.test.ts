import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nextRevision } from '../../../../shared/domains/life/domain.ts';
import { reconciler } from '../../../../shared/domains/steps/reconciler.ts';
import { AT, certified, ENDPOINT, live, TARGET, VALIDATION } from '../claimed-domain.ts';
import { type FlowWorld, flowWorld } from './flow-world.ts';

const NAME = 'www.zoo.example';
const OPENED = `open ${TARGET} ${ENDPOINT}`;

let world: FlowWorld;
let reconcile: ReturnType<typeof reconciler>;
beforeAll(async () => {
  world = await flowWorld();
  const noted = (word: string) => async () => {
    world.calls.push(word);
  };
  const flows = {
    startVerification: noted('start verification'),
    stopEarlierVerification: noted('stop verification'),
    startRemoval: noted('start removal'),
  };
  reconcile = reconciler({ ...world.parts, domains: world.store, flows });
});
beforeEach(() => world.reset());

describe('a claim', () => {
  const claim = () => world.stored({ status: 'pending_dns', attempt: 1 });

  test('has a host that leads somewhere and a certificate, whose records are noted', async () => {
    const settled = await reconcile(await claim());
    expect(world.calls).toEqual([OPENED, 'request']);
    expect(settled.certificate).toMatchObject({
      arn: expect.stringContaining('certificate/'),
      validations: [VALIDATION],
    });
    expect(await world.found()).toEqual(settled);
    expect(settled.revision).toBe(2);
  });

  test('that is settled again is not written, and no certificate is requested', async () => {
    const settled = await reconcile(await claim());
    world.calls.length = 0;
    expect(await reconcile(settled)).toEqual(settled);
    expect(world.calls).toEqual([OPENED]);
    expect(await world.found()).toEqual(settled);
  });

  test('whose records ACM names only later has them when it is settled again', async () => {
    world.certificate = { ...world.certificate, status: 'PENDING_VALIDATION', validations: [] };
    const first = await reconcile(await claim());
    expect(first.certificate.validations).toEqual([]);
    world.certificate = { ...world.certificate, validations: [VALIDATION] };
    expect((await reconcile(first)).certificate.validations).toEqual([VALIDATION]);
  });

  test('that someone else has changed meanwhile is as they left it', async () => {
    const before = await claim();
    const verifying = nextRevision(before, { status: 'verifying', attempt: 2 });
    await world.store.save(verifying);
    expect(await reconcile(before)).toEqual(verifying);
    expect(await world.found()).toEqual(verifying);
  });
});

test('a verification has what a claim has, and its flow', async () => {
  const settled = await reconcile(await world.stored({ status: 'verifying', attempt: 2 }));
  expect(world.calls).toEqual([OPENED, 'request', 'start verification']);
  expect(await world.found()).toEqual(settled);
});

describe('a live domain', () => {
  test('is mapped to what is noted of it', async () => {
    const domain = await world.stored(live());
    expect(await reconcile(domain)).toEqual(domain);
    expect([...world.mapped]).toEqual([[NAME, 'abcdefghij']]);
  });

  test('is mapped to what is noted last, if that changes while it is mapped', async () => {
    const domain = await world.stored(live());
    world.onMapped = async () => {
      world.apiStage = { apiId: 'redirects1', stage: 'test-redirects' };
    };
    await reconcile(domain);
    expect([...world.mapped]).toEqual([[NAME, 'redirects1']]);
  });

  test('does not follow for ever', async () => {
    const domain = await world.stored(live());
    let changes = 0;
    world.onMapped = async () => {
      changes += 1;
      world.apiStage = { apiId: `api${changes}`, stage: 'test' };
    };
    await reconcile(domain);
    expect(changes).toBeLessThanOrEqual(10);
  });

  test('that is removed while it is mapped is not served', async () => {
    const domain = await world.stored(live());
    world.onMapped = () => world.store.save(nextRevision(domain, { status: 'removing', attempt: 3 }));
    await reconcile(domain);
    expect([...world.mapped]).toEqual([]);
  });

  test('that is no longer live is not mapped', async () => {
    const domain = await world.stored(live());
    await world.store.save(nextRevision(domain, { status: 'removing', attempt: 3 }));
    await reconcile(domain);
    expect(world.calls.filter(call => call.startsWith('map'))).toEqual([]);
  });

  test('whose project is gone is left as it is', async () => {
    const domain = await world.stored(live());
    world.apiStage = undefined;
    await reconcile(domain);
    expect(world.calls).toEqual([]);
  });
});

test('of a removal traffic stops first, then what sets it up, and then it is taken down', async () => {
  const domain = await world.stored({ ...live(), status: 'removing', attempt: 3 });
  expect(await reconcile(domain)).toEqual(domain);
  expect(world.calls).toEqual([`unmap ${NAME}`, 'stop verification', 'start removal']);
});

test('of a removal that has nothing left to take down nothing is to be settled', async () => {
  const domain = await world.stored({ ...live(), status: 'removing', attempt: 3, takenDownAt: AT });
  expect(await reconcile(domain)).toEqual(domain);
  expect(world.calls).toEqual([]);
});

test.each(['issuing', 'failed'] as const)('of a domain that is %s nothing is to be settled', async status => {
  const domain = await world.stored({ status, certificate: certified() });
  expect(await reconcile(domain)).toEqual(domain);
  expect(world.calls).toEqual([]);
});
