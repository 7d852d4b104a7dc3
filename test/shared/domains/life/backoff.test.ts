import { expect, test } from 'vitest';
import {
  CERTIFICATE_DEADLINE_HOURS,
  DNS_DEADLINE_HOURS,
  inUseWaitSeconds,
  newRequestWaitSeconds,
  REMOVAL_DEADLINE_HOURS,
  waitSeconds,
} from '../../../../shared/domains/life/backoff.ts';

/** How many rounds of a step there are until its deadline, and the longest wait among them. */
function rounds(wait: (round: number) => number, hours: number) {
  let [count, seconds, longest] = [0, 0, 0];
  for (; seconds <= hours * 3600; count += 1) {
    seconds += wait(count);
    longest = Math.max(longest, wait(count));
  }
  return { count, longest };
}

/** A Lambda task has 5, a choice 2, a wait 2; an execution may have 25,000. */
const EVENTS_A_ROUND = 9;
const MAX_EVENTS = 25_000;

test('a record is looked for often at first, then half-hourly at least', () => {
  expect([0, 7, 8, 17].map(waitSeconds)).toEqual([15, 15, 60, 60]);
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
  // Half of it is left for what is tried again.
  for (const count of [verification, removal]) expect(count * EVENTS_A_ROUND).toBeLessThan(MAX_EVENTS / 2);
});

test('a certificate is requested again later and later', () => {
  expect([0, 1, 2, 8].map(newRequestWaitSeconds)).toEqual([60, 120, 240, 1800]);
});
