import { expect, test } from 'vitest';
import { longestHistory, MAX_HISTORY_EVENTS } from '../invariants/idle.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';
import { calmRun, WWW } from './calm-run.ts';

test('a verification survives hours of records that come and go, and succeeds when they stay', async () => {
  const run = calmRun();
  await run.claim();
  run.people.pointElsewhere(WWW);
  await run.ask('verify');
  for (let hour = 0; hour < 12; hour += 1) {
    run.people.setRecords(WWW);
    await run.pass(7 * SECOND_MS);
    run.people.pointElsewhere(WWW);
    await run.pass(HOUR_MS);
    expect(run.status()).toBe('verifying');
  }
  run.people.setRecords(WWW);
  await run.endsAs('live');
});

test.each([0, 1, 2, 3, 4])(
  'a verification survives an hour of SERVFAIL that starts at minute %i',
  async minutes => {
    const run = calmRun({ issueDelayMs: () => 2 * MINUTE_MS });
    await run.claim();
    await run.ask('verify');
    await run.pass(minutes * MINUTE_MS);
    run.world.dns.failFor('zoo.com', HOUR_MS);
    await run.endsAs('live');
  },
);

test('a verification without records fails after 48 hours, with a short history although every seventh call of its steps and every eleventh of the commands crashes', async () => {
  const calls = { step: 0, command: 0 };
  const run = calmRun({
    fateOf: ({ actor }) => {
      // A command makes more than seven calls: if each seventh crashed, no delivery of it would ever end.
      const isCrashing = actor.name.startsWith('Operate')
        ? ++calls.command % 11 === 0
        : ++calls.step % 7 === 0;
      return { kind: isCrashing ? 'crash after' : 'ok', latencyMs: 20 };
    },
  });
  await run.ask('add');
  const startedMs = run.world.time.nowMs;
  await run.ask('verify');
  await run.untilIdle();
  expect(run.status()).toBe('failed');
  expect(run.world.time.nowMs - startedMs).toBeGreaterThan(48 * HOUR_MS);
  expect(longestHistory(run.world)).toBeLessThan(MAX_HISTORY_EVENTS);
  await run.removeEverything();
});

test.each(['zoo.com', 'dev.zoo.com', 'shop.dev.zoo.com'])(
  '%s goes live although the servers of its zone know no other zone, and the hosts of AWS have IPv6 addresses',
  async domain => {
    const run = calmRun();
    run.world.dns.isDualStack = true;
    await run.goLive({ domain });
    await run.removeEverything();
  },
);

test('an apex whose owner sets the ALIAS without the TXT record is not verified', async () => {
  const run = calmRun();
  const apex = 'zoo.com';
  await run.ask('add', { domain: apex });
  await run.pass(MINUTE_MS);
  run.people.setRecords(apex, { without: 'TXT' });
  await run.ask('verify', { domain: apex });
  await run.pass(HOUR_MS);
  const verifying = { status: 'verifying', reason: 'ownership_record_missing' };
  expect(run.domain(apex)).toMatchObject(verifying);
  run.people.setRecords(apex);
  await run.endsAs('live', apex);
});

test('a domain waits for a resolver that lags, and goes live when it has caught up', async () => {
  const run = calmRun();
  await run.claim();
  run.people.pointElsewhere(WWW);
  await run.ask('verify');
  await run.pass(MINUTE_MS);
  const [, lagging] = run.world.dns.resolvers;
  lagging?.resolve(WWW, 'CNAME');
  lagging?.lagFor(5 * HOUR_MS);
  run.people.setRecords(WWW);
  await run.pass(4 * HOUR_MS);
  const spreading = { status: 'verifying', reason: 'traffic_record_spreading' };
  expect(run.domain()).toMatchObject(spreading);
  await run.endsAs('live');
});

test('no function times out although the servers of the zone are silent for hours', async () => {
  const run = calmRun();
  await run.claim();
  run.world.dns.failFor('zoo.com', 6 * HOUR_MS, { isSilent: true });
  await run.ask('verify');
  await run.untilIdle();
  expect(run.world.trace.text()).not.toContain('Sandbox.Timedout');
  expect(run.status()).toBe('live');
  await run.removeEverything();
});

test('an apex with a foreign IPv6 address beside the right ones does not go live', async () => {
  const run = calmRun();
  const apex = 'zoo.com';
  await run.claim({ domain: apex });
  run.world.dns.set(apex, 'AAAA', '2001:db8::1');
  await run.ask('verify', { domain: apex });
  await run.pass(HOUR_MS);
  expect(run.domain(apex)).toMatchObject({ status: 'ready', records: [{ state: 'mismatch' }, {}, {}] });
  run.world.dns.set(apex, 'AAAA');
  await run.untilStatus('live', apex);
  await run.removeEverything();
});
