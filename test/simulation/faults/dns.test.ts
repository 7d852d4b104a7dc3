import { expect, test } from 'vitest';
import { AWS_POOL, DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../../infra/local/simulation.ts';
import { longestHistory, MAX_HISTORY_EVENTS } from '../invariants/idle.ts';
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
  // It's looked at every hour by now, by executions that a sweep starts.
  await run.pass(1.2 * HOUR_MS);
  await run.endsAs('live');
});

test.each([0, 1, 2, 3, 4])(
  'a verification survives an hour of SERVFAIL that starts at minute %i',
  async minutes => {
    const run = calmRun({ issueDelayMs: () => 2 * MINUTE_MS });
    await run.verify();
    await run.pass(minutes * MINUTE_MS);
    run.world.dns.failFor('zoo.com', HOUR_MS);
    await run.endsAs('live');
  },
);

test('a verification without records goes on until the claim ends, with a short history although every thirteenth call of its steps and every eleventh of the commands crashes', async () => {
  const calls = { step: 0, command: 0 };
  const run = calmRun({
    fateOf: ({ actor }) => {
      // A pass makes about seven calls, a command more: if each seventh crashed, none would ever end.
      const isCrashing = actor.name.startsWith('Operate')
        ? ++calls.command % 11 === 0
        : ++calls.step % 13 === 0;
      return { kind: isCrashing ? 'crash after' : 'ok', latencyMs: 20 };
    },
  });
  await run.ask('add');
  await run.ask('verify');
  await run.pass(30 * DAY_MS - HOUR_MS);
  expect(run.domain()).toMatchObject({ status: 'verifying' });
  await run.pass(2 * HOUR_MS);
  expect(run.domain()).toBeUndefined();
  expect(longestHistory(run.world)).toBeLessThan(MAX_HISTORY_EVENTS);
  await run.removeEverything();
});

test.each(['zoo.com', 'dev.zoo.com', 'shop.dev.zoo.com'])(
  '%s goes live although the servers of its zone know no other zone, and the hosts of AWS have IPv6 addresses',
  async domain => {
    const run = calmRun();
    run.world.publicDns.isDualStack = true;
    await run.goLive({ domain });
    await run.removeEverything();
  },
);

test('an apex with an IPv6 address of somebody else in the network of API Gateway is not live before that is one of API Gateway', async () => {
  const run = calmRun();
  const apex = { domain: 'zoo.com' };
  run.world.publicDns.isDualStack = true;
  await run.claim(apex);
  run.world.dns.set(apex.domain, 'AAAA', '2600:1f18::bad');
  await run.ask('verify', apex);
  await run.untilStatus('ready', apex.domain);
  await run.until(run.world.staging.run('ReconcileDomains'));
  expect(run.domain(apex.domain)).toMatchObject({ status: 'ready', reason: 'https_unconfirmed' });
  // Its host has two of them at a time.
  run.world.dns.set(apex.domain, 'AAAA', ...AWS_POOL);
  await run.untilStatus('live', apex.domain);
  // A live domain stays what it is.
  run.world.dns.set(apex.domain, 'AAAA', '2600:1f18::bad');
  await run.pass(2 * DAY_MS);
  expect(run.domain(apex.domain)).toMatchObject({ status: 'live', reason: null });
  await run.removeEverything();
});

test('no function times out although the servers of the zone are silent for hours', async () => {
  const run = calmRun();
  await run.claim();
  run.world.dns.failFor('zoo.com', 6 * HOUR_MS, { isSilent: true });
  await run.ask('verify');
  await run.endsAs('live');
  expect(run.world.trace.text()).not.toContain('Sandbox.Timedout');
});
