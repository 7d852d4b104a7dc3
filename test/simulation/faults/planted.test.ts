import { describe, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, type Item, MINUTE_MS, Random } from '../../../infra/local/simulation.ts';
import { keyOf } from '../claims-view.ts';
import type { Environment } from '../environment.ts';
import { MANAGED_ZONE } from '../managed-zone.ts';
import { loseCertificate, useProxy } from '../people/incidents.ts';
import { askEveryDay, calmRun, WWW } from './calm-run.ts';

type Run = ReturnType<typeof calmRun>;

const OTHER = `www.${MANAGED_ZONE.name}`;

/** Replaces parts of the service in staging by others, which have a bug. */
function plant({ world }: Run, parts: Partial<Environment['service']>): void {
  Object.assign(world.staging, { service: { ...world.staging.service, ...parts } });
}

/** Changes the item of a claim behind the service's back, as a bug in a write would. */
function corrupt({ world }: Run, project: string, change: (item: Item) => Item, domain = WWW): void {
  const items = world.dynamodb.items(world.staging.tables.domains);
  const key = keyOf({ domain, project });
  items.set(key, change(items.get(key) ?? {}));
  world.version += 1;
}

/** A domain that is live and the primary of its project, which its default URL redirects to. */
async function replaceDefaultUrl(run: Run): Promise<void> {
  run.world.staging.hasDefaultUrls = true;
  await run.goLive();
  // ACM looks for the validation record of the default URLs before it's there.
  await run.pass(HOUR_MS);
  expect(run.apiOf(run.world.staging.defaultHost('alpha'))).toBe(run.world.staging.redirectApi);
}

/** The visitors of a live domain leave, and resolvers forget where they went before. */
async function leave(run: Run): Promise<void> {
  run.people.pointElsewhere(WWW);
  await run.pass(2 * HOUR_MS);
}

/** A live domain is contested by a rival. */
async function contest(run: Run): Promise<void> {
  await run.goLive();
  run.people.deleteRecords(WWW);
  await run.pass(2 * HOUR_MS);
  await run.ask('add', { project: 'beta' });
  await run.pass(MINUTE_MS);
  run.people.setRecords(WWW, { project: 'beta' });
  await run.ask('verify', { project: 'beta' });
  await run.pass(30 * MINUTE_MS);
  expect(run.world.staging.domain(WWW, 'alpha')).toMatchObject({ lossAtMs: expect.any(Number) });
}

async function getReady(run: Run): Promise<void> {
  run.people.pointElsewhere(WWW);
  await run.ask('add', { switchLater: true });
  await run.pass(MINUTE_MS);
  run.people.setRecords(WWW, { isPreparation: true });
  await run.ask('verify');
  await run.untilStatus('ready');
}

const isBlind = async () => ({ reconciled: 0, looked: 0, tended: 0 });

/** Bugs, and what the invariants say of them. */
const BUGS: Readonly<Record<string, { violation: RegExp; scenario(run: Run): Promise<unknown> }>> = {
  'an owner who asks for looks lengthens a claim': {
    violation: /should have ended/,
    async scenario(run) {
      await run.ask('add');
      await askEveryDay(run, () => {
        const verifyStartedAt = new Date(run.world.time.nowMs).toISOString();
        corrupt(run, 'alpha', item => ({ ...item, verifyStartedAt, isStartedByOwner: false }));
      });
    },
  },
  'nobody looks at live domains': {
    violation: /is live \(no trouble\) after ReconcileDomains #\d+, but its visitors get unreachable/,
    async scenario(run) {
      await run.goLive();
      plant(run, { reconcileAll: isBlind });
      await leave(run);
      await run.pass(DAY_MS);
    },
  },
  'a look misses a proxy that no longer passes requests on': {
    violation: /is live \(no trouble\) after ReconcileDomains #\d+, but its visitors get unproven/,
    async scenario(run) {
      await run.goLive();
      useProxy(run.world, WWW, { project: 'alpha', isPassing: false });
      plant(run, { reconcileAll: isBlind });
      await run.pass(DAY_MS);
    },
  },
  'nobody looks whether the visitors of primary domains arrive': {
    violation: /is live \(no trouble\) after ReconcileDomains #\d+, but its visitors get unreachable/,
    async scenario(run) {
      await replaceDefaultUrl(run);
      plant(run, { reconcileAll: isBlind });
      await leave(run);
    },
  },
  'default URLs are not changed when visitors have left': {
    violation:
      /^alpha\.apps\.staging\.petstore\.test serves its project, and is not mapped to it after ReconcileEndpoint/,
    async scenario(run) {
      await replaceDefaultUrl(run);
      // The look knows it first.
      run.world.staging.hasDefaultUrls = false;
      await leave(run);
      await run.until(run.world.staging.tendAll());
      plant(run, { reconcileUrls: async () => {} });
      run.world.staging.hasDefaultUrls = true;
      run.world.version += 1;
      await run.pass(10 * MINUTE_MS);
    },
  },
  'a ready domain is not looked at': {
    violation: /is ready \(no trouble\) after ReconcileDomains #\d+, but API Gateway does not serve it/,
    async scenario(run) {
      await getReady(run);
      plant(run, { reconcileAll: isBlind });
      for (const { arn } of run.world.certificates.list()) loseCertificate(run.world, arn, 'REVOKED');
      run.world.version += 1;
      await run.pass(10 * MINUTE_MS);
    },
  },
  'a name goes over before the time that its owner was told': {
    violation: /alpha loses www\.zoo\.com, and was told 2026-/,
    async scenario(run) {
      await contest(run);
      const since = new Date(run.world.time.nowMs - 7 * HOUR_MS).toISOString();
      corrupt(run, 'beta', item => ({ ...item, contest: { since } }));
      corrupt(run, 'alpha', item => ({ ...item, provenAt: since, takeover: since }));
      await run.pass(HOUR_MS);
    },
  },
  'an owner is told the same again and again': {
    violation: /The owner of www\.zoo\.com is told 9 times within a day/,
    async scenario(run) {
      await contest(run);
      for (let round = 0; round < 9; round += 1) {
        corrupt(run, 'alpha', ({ takeover, ...item }) => item);
        corrupt(run, 'beta', item => ({ ...item, contest: { since: null } }));
        await run.pass(HOUR_MS / 2);
      }
    },
  },
  'a failure says nothing of what to do': {
    violation: /is failed, and nobody knows what to do: It failed\./,
    async scenario(run) {
      await run.ask('add');
      corrupt(run, 'alpha', item => ({ ...item, status: 'failed', message: 'It failed.' }));
      await run.pass(MINUTE_MS);
    },
  },
  'scheduled work ends with an error': {
    violation: /ReconcileDomains #\d+ fails \(RangeError: wrong\), and no fault explains it/,
    async scenario(run) {
      plant(run, {
        reconcileAll: async () => {
          throw new RangeError('wrong');
        },
      });
      await run.until(run.world.staging.run('ReconcileDomains'));
      await run.pass(MINUTE_MS);
    },
  },
  'nothing replaces the start of an execution that was lost': {
    violation: /is verifying, and nothing works on it/,
    async scenario(run) {
      await run.claim();
      let starts = 0;
      run.change({ wakeUp: () => ({ kind: ++starts === 1 ? 'lost' : 'once' }) });
      plant(run, { reconcileAll: isBlind });
      await run.ask('verify');
      await run.pass(12 * HOUR_MS);
    },
  },
};

test.each(Object.entries(BUGS))('the invariants detect a bug: %s', async (_, { violation, scenario }) => {
  await expect(scenario(calmRun())).rejects.toThrow(violation);
});

describe('what the service does right', () => {
  test.each([
    ['alpha', null],
    ['beta', 'traffic_record_conflict'],
  ])(
    'a domain of %s behind a proxy that passes requests on is live with the reason %s',
    async (project, reason) => {
      const run = calmRun();
      await run.goLive({ project });
      useProxy(run.world, WWW, { project, isPassing: true });
      await run.pass(DAY_MS + HOUR_MS);
      expect(run.domain()).toMatchObject({ status: 'live', reason });
    },
  );

  test('the default URL serves its project within minutes when the visitors of the primary domain have left', async () => {
    const run = calmRun();
    await replaceDefaultUrl(run);
    await leave(run);
    expect(run.apiOf(run.world.staging.defaultHost('alpha'))).toBe('staging-alpha');
    run.people.setRecords(WWW);
    await run.pass(2 * HOUR_MS);
    expect(run.apiOf(run.world.staging.defaultHost('alpha'))).toBe(run.world.staging.redirectApi);
    await run.removeEverything();
  });

  test.each([
    ['lost', { kind: 'lost' }],
    ['doubled', { kind: 'twice', againMs: 30_000 }],
    ['late', { kind: 'late', byMs: 20 * MINUTE_MS }],
  ] as const)('a domain goes live and is removed although half of all wake-ups are %s', async (_, wake) => {
    const run = calmRun();
    const random = new Random(1);
    run.change({ wakeUp: () => (random.chance(0.5) ? wake : { kind: 'once' }) });
    await run.verify({ domain: OTHER });
    await run.pass(2 * HOUR_MS);
    expect(run.status(OTHER)).toBe('live');
    await run.ask('remove', { domain: OTHER });
    await run.pass(2 * HOUR_MS);
    expect(run.status(OTHER)).toBeUndefined();
    await run.removeEverything();
  });
});
