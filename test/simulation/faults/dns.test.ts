import { expect, test } from 'vitest';
import { calmRun, WWW } from '../calm-run.ts';
import { longestHistory, MAX_HISTORY_EVENTS } from '../idle-invariants.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';

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
  await run.untilIdle();
  expect(run.status()).toBe('live');
  await run.removeEverything();
});

test.each([0, 1, 2, 3, 4])(
  'a verification survives an hour of SERVFAIL that starts at minute %i',
  async minutes => {
    const run = calmRun({ issueDelayMs: () => 2 * MINUTE_MS });
    await run.claim();
    await run.ask('verify');
    await run.pass(minutes * MINUTE_MS);
    run.world.dns.failFor('zoo.com', HOUR_MS);
    await run.untilIdle();
    expect(run.status()).toBe('live');
    await run.removeEverything();
  },
);

test('a verification without records fails after 48 hours, with a short history although every seventh call crashes', async () => {
  let calls = 0;
  const run = calmRun({
    fateOf: () => {
      calls += 1;
      return { kind: calls % 7 === 0 ? 'crash after' : 'answered', latencyMs: 20 };
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
