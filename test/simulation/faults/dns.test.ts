import { expect, test } from 'vitest';
import { calmLife, WWW } from '../calm-life.ts';
import { MOST_HISTORY_EVENTS, mostHistoryEvents } from '../endings.ts';
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../virtual-time.ts';

test('DNS flaps between right and wrong for hours: nothing fails, and it goes live when it stops', async () => {
  const life = calmLife();
  await life.claim();
  life.people.leadElsewhere(WWW);
  await life.ask('verify');
  for (let hour = 0; hour < 12; hour += 1) {
    life.people.setRecords(WWW);
    await life.pass(7 * SECOND_MS);
    life.people.leadElsewhere(WWW);
    await life.pass(HOUR_MS);
    expect(life.status()).toBe('verifying');
  }
  life.people.setRecords(WWW);
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test.each([0, 1, 2, 3, 4])('SERVFAIL for an hour, from minute %i of the verification on', async minutes => {
  const life = calmLife({ issueDelayMs: () => 2 * MINUTE_MS });
  await life.claim();
  await life.ask('verify');
  await life.pass(minutes * MINUTE_MS);
  life.world.dns.failFor('zoo.com', HOUR_MS);
  await life.untilRest();
  expect(life.status()).toBe('live');
  await life.removeEverything();
});

test('the worst 48 hours: the records never come, and every task fails a few times', async () => {
  let calls = 0;
  const life = calmLife({
    fateOf: () => {
      calls += 1;
      return { kind: calls % 7 === 0 ? 'crash after' : 'answered', latencyMs: 20 };
    },
  });
  await life.ask('add');
  const startedMs = life.world.time.nowMs;
  await life.ask('verify');
  await life.untilRest();
  expect(life.status()).toBe('failed');
  expect(life.world.time.nowMs - startedMs).toBeGreaterThan(48 * HOUR_MS);
  expect(mostHistoryEvents(life.world)).toBeLessThan(MOST_HISTORY_EVENTS);
  await life.removeEverything();
});
