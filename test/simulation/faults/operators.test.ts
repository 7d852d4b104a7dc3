import { expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS, OK, SECOND_MS } from '../../../infra/local/simulation.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { type CalmRun, calmRun, WWW } from './calm-run.ts';

const OTHER = `www.${MANAGED_ZONE.name}`;
/** The second operator starts this much later. A call takes 20 ms, so the calls of both interleave in every order. */
const DELAYS_MS = [0, 10, 30, 50, 70, 90, 110, 130, 150, 170];

/** Two requests, the second of them this much later, and their replies. */
const both = <Reply>({ until, world }: CalmRun, delayMs: number, [first, second]: (() => Promise<Reply>)[]) =>
  until(Promise.all([first?.(), world.time.sleep(delayMs).then(second)])) as Promise<[Reply, Reply]>;

test('of two projects that add the same name at once, the one whose records are set has it', async () => {
  for (const delayMs of DELAYS_MS) {
    const run = calmRun();
    const { people, world } = run;
    const add = (project: string) => () => people.ask('add', { project, domain: WWW });
    const replies = await both(run, delayMs, [add('alpha'), add('beta')]);
    expect(replies.map(({ ok }) => ok)).toEqual([true, true]);
    await run.pass(MINUTE_MS);
    people.setRecords(WWW, { project: 'beta' });
    await run.ask('verify', { project: 'alpha' });
    await run.ask('verify', { project: 'beta' });
    await run.untilIdle();
    expect(world.staging.domain(WWW, 'beta')?.status).toBe('live');
    expect(world.staging.domain(WWW, 'alpha')).toMatchObject({ status: 'failed', reason: 'domain_taken' });
    expect(await run.ask('add', { project: 'alpha' })).toMatchObject({ error: { reason: 'domain_taken' } });
    await run.removeEverything();
  }
});

test('of two projects that prove an apex at once, one has it', async () => {
  const apex = 'zoo.com';
  for (const delayMs of DELAYS_MS) {
    const run = calmRun();
    const { people, world } = run;
    for (const project of ['alpha', 'beta']) {
      await run.ask('add', { project, domain: apex });
      await run.pass(MINUTE_MS);
      people.setRecords(apex, { project, isBeside: true });
    }
    const verify = (project: string) => () => people.ask('verify', { project, domain: apex });
    await both(run, delayMs, [verify('alpha'), verify('beta')]);
    await run.untilIdle();
    const reasons = ['alpha', 'beta'].map(project => world.staging.domain(apex, project)?.reason);
    expect(reasons).toContain('domain_taken');
    await run.removeEverything();
  }
});

test('two operators of one project who add the same name at once get one certificate', async () => {
  for (const delayMs of DELAYS_MS) {
    const run = calmRun();
    const { people, world } = run;
    const add = () => people.ask('add', { project: 'alpha', domain: WWW });
    const replies = await both(run, delayMs, [add, add]);
    expect(replies.map(({ ok }) => ok)).toEqual([true, true]);
    expect(world.certificates.list()).toHaveLength(1);
    await run.removeEverything();
  }
});

test('an addition with www adds both, although another operator makes the same change of the apex at once', async () => {
  for (const delayMs of DELAYS_MS) {
    const run = calmRun();
    const apex = 'zoo.com';
    await run.ask('add', { domain: apex });
    const postpone = (withWww: boolean) => () =>
      run.people.ask('add', { project: 'alpha', domain: apex, switchLater: true, withWww });
    await both(run, delayMs, [postpone(true), postpone(false)]);
    expect(run.status(WWW)).toBe('pending_dns');
    await run.removeEverything();
  }
});

test('of two operators who move a domain to different projects at once, one is told that it is gone', async () => {
  for (const delayMs of DELAYS_MS) {
    const run = calmRun();
    await run.goLive();
    const move = (to: string) => () => run.people.ask('move', { project: 'alpha', domain: WWW, to });
    const replies = await both(run, delayMs, [move('beta'), move('gamma')]);
    expect(replies.map(({ ok }) => ok)).toEqual(
      run.domain()?.project === 'beta' ? [true, false] : [false, true],
    );
    await run.removeEverything();
  }
});

test('two operators who set different primaries at once leave one of them the primary', async () => {
  const run = calmRun();
  await run.goLive();
  await run.goLive({ domain: OTHER });
  for (const delayMs of DELAYS_MS) {
    const primary = (domain: string) => () => run.people.ask('primary', { project: 'alpha', domain });
    const replies = await both(run, delayMs, [primary(WWW), primary(OTHER)]);
    expect(replies.map(({ ok }) => ok)).toEqual([true, true]);
    expect([WWW, OTHER]).toContain(run.world.staging.projects().find(({ id }) => id === 'alpha')?.primary);
  }
  await run.removeEverything();
});

test('another project cannot verify a removed name whose CNAME still points at the old claim', async () => {
  const run = calmRun();
  await run.goLive();
  await run.ask('remove');
  await run.untilIdle();
  await run.ask('add', { project: 'beta' });
  await run.ask('verify', { project: 'beta' });
  await run.pass(HOUR_MS);
  const verifying = { status: 'verifying', reason: 'traffic_record_mismatch' };
  expect(run.domain()).toMatchObject(verifying);
  // The claim ends after a month.
  await run.pass(31 * DAY_MS);
  expect(run.domain()).toBeUndefined();
  await run.removeEverything();
  expect(run.world.domainNames.find(WWW)).toBeUndefined();
});

test('a run that is setting default URLs up brings back nothing of what is withdrawn meanwhile', async () => {
  for (const stalled of ['DescribeCertificate', 'CreateDomainName', 'CreateBasePathMapping']) {
    const run = calmRun();
    const { staging } = run.world;
    staging.hasDefaultUrls = true;
    run.change({ issueDelayMs: () => (stalled === 'DescribeCertificate' ? 5 * HOUR_MS : 0) });
    await run.until(staging.run('ReconcileEndpoint'));
    run.change({
      fateOf: ({ actor, operation }) => {
        const isStalled = actor.name.startsWith('ReconcileEndpoint') && operation === stalled;
        return isStalled ? { kind: 'stall', latencyMs: 5 * SECOND_MS } : OK;
      },
    });
    void staging.run('ReconcileEndpoint');
    await run.pass(SECOND_MS);
    await run.removeEverything();
  }
});
