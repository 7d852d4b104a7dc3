import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import {
  CERTIFICATE_DEADLINE_HOURS,
  claimEndsAt,
  DNS_DEADLINE_HOURS,
  hasExpired,
  inUseWaitSeconds,
  newRequestWaitSeconds,
  REMOVAL_DEADLINE_HOURS,
  waitSeconds,
} from '../../../../shared/domains/life/waits.ts';
import { AT, AT_MS, claimed, live } from '../claimed-domain.ts';

/** The number of rounds of a step until its deadline, and the longest wait among them. */
function rounds(wait: (round: number) => number, hours: number) {
  let [count, seconds, longest] = [0, 0, 0];
  for (; seconds <= hours * 3600; count += 1) {
    seconds += wait(count);
    longest = Math.max(longest, wait(count));
  }
  return { count, longest };
}

/** Events of one round: 5 of a Lambda task, 2 of a choice, 2 of a wait. An execution may have 25,000. */
const EVENTS_PER_ROUND = 9;
const MAX_EVENTS = 25_000;

test('waitSeconds grows from 15 seconds to half an hour', () => {
  expect([0, 7, 8, 17].map(waitSeconds)).toEqual([15, 15, 60, 60]);
  expect([18, 19, 41, 42, 43].map(waitSeconds)).toEqual([69, 79, 1718, 1800, 1800]);
  expect(rounds(waitSeconds, DNS_DEADLINE_HOURS)).toEqual({ count: expect.any(Number), longest: 1800 });
});

test('the longest verification and the longest removal fit into the history of an execution', () => {
  const phases = [
    rounds(waitSeconds, DNS_DEADLINE_HOURS),
    rounds(waitSeconds, CERTIFICATE_DEADLINE_HOURS),
    rounds(waitSeconds, DNS_DEADLINE_HOURS),
  ];
  const verification = phases.reduce((sum, { count }) => sum + count, 0);
  const removal = rounds(inUseWaitSeconds, REMOVAL_DEADLINE_HOURS).count;
  // Half of the history is left for retries.
  for (const count of [verification, removal]) expect(count * EVENTS_PER_ROUND).toBeLessThan(MAX_EVENTS / 2);
});

test('ACM gives up after three days, DNS has two, and a removal a week', () => {
  expect([CERTIFICATE_DEADLINE_HOURS, DNS_DEADLINE_HOURS, REMOVAL_DEADLINE_HOURS]).toEqual([72, 48, 168]);
});

test('newRequestWaitSeconds doubles from one minute to half an hour', () => {
  expect([0, 1, 2, 8].map(newRequestWaitSeconds)).toEqual([60, 120, 240, 1800]);
});

test('inUseWaitSeconds is five minutes for an hour, then half an hour', () => {
  expect([0, 11, 12, 100].map(inUseWaitSeconds)).toEqual([300, 300, 1800, 1800]);
});

const DAY_MS = 24 * 60 * 60 * 1000;
const SEVEN_DAYS_LATER = '2026-02-07T12:00:00.000Z';

describe('an unverified claim', () => {
  test.each<[string, Partial<Domain>, string]>([
    ['seven days after it was added', {}, SEVEN_DAYS_LATER],
    [
      'seven days after its last verification was started, which failed',
      { status: 'failed', verifyStartedAt: '2026-02-01T12:00:00.000Z' },
      '2026-02-08T12:00:00.000Z',
    ],
  ])('ends %s', (_, changes, endsAt) => {
    const claim = claimed(changes);
    expect(claimEndsAt(claim)).toBe(endsAt);
    expect(hasExpired(claim, Date.parse(endsAt) - 1)).toBe(false);
    expect(hasExpired(claim, Date.parse(endsAt))).toBe(true);
  });
});

test.each([
  ['being verified', claimed({ status: 'verifying' })],
  ['failed after it was proven', claimed({ status: 'failed', provenAt: AT })],
  ['live', live()],
  ['being verified again after it was proven', claimed({ status: 'verifying', provenAt: AT })],
  ['being removed', claimed({ status: 'removing' })],
])('a claim that is %s does not end by itself', (_, claim) => {
  expect(claimEndsAt(claim)).toBeNull();
  expect(hasExpired(claim, AT_MS + 100 * DAY_MS)).toBe(false);
});
