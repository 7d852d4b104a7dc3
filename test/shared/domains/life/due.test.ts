import { expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { dueAtMs, dueSinceMs, isDue, isUnreconciled } from '../../../../shared/domains/life/due.ts';
import { AT, AT_MS, ago, certified, claimed, clockAt, DAY, HOUR, live, MINUTE } from '../claimed-domain.ts';

test.each<[isUnreconciled: boolean, what: string, domain: Domain]>([
  [true, 'a claim whose certificate was not requested', claimed()],
  [
    true,
    'a claim whose validation records are not named',
    claimed({ certificate: certified({ validations: [] }) }),
  ],
  [true, 'a verification whose first step has not run', claimed({ status: 'verifying' })],
  [true, 'a removal whose first step has not run', live({ status: 'removing' })],
  [false, 'a claim with its validation records', claimed({ certificate: certified() })],
  [false, 'a verification that has run a step', claimed({ status: 'verifying', rounds: 1, nextCheckAt: AT })],
  [false, 'a verification that runs its first step', claimed({ status: 'verifying', nextCheckAt: AT })],
  [false, 'a verification between two steps', claimed({ status: 'verifying', rounds: 1, nextCheckAt: null })],
  [false, 'a domain whose certificate is issued', claimed({ status: 'issuing' })],
  [false, 'a domain that failed', claimed({ status: 'failed' })],
  [false, 'a live domain', live()],
  [false, 'a removal that has run a step', live({ status: 'removing', rounds: 1, nextCheckAt: AT })],
  [false, 'a removal that stalled', live({ status: 'stalled', reason: 'internal_error' })],
])('what a command has asked for is due: %s, %s', (expected, _, domain) => {
  expect(isUnreconciled(domain)).toBe(expected);
  expect(isDue(domain, 'begin', clockAt(AT_MS))).toBe(expected);
});

test.each<[isDue: boolean, what: string, domain: Domain]>([
  [true, 'a verification', claimed({ status: 'verifying', nextCheckAt: AT })],
  [true, 'a verification that was never started', claimed({ status: 'issuing' })],
  [true, 'a removal', live({ status: 'removing', nextCheckAt: AT })],
  [false, 'a removal that stalled', live({ status: 'stalled', nextCheckAt: AT })],
  [false, 'a live domain', live({ nextCheckAt: AT })],
])('another execution is due 15 minutes after a step was: %s, %s', (expected, _, domain) => {
  expect(isDue(domain, 'restart', clockAt(AT_MS + 15 * MINUTE - 1))).toBe(false);
  expect(isDue(domain, 'restart', clockAt(AT_MS + 15 * MINUTE))).toBe(expected);
  // It shortens with the waits, but for a minute of work.
  expect(isDue(domain, 'restart', clockAt(AT_MS + MINUTE + 1.4 * MINUTE - 1, 1 / 10))).toBe(false);
  expect(isDue(domain, 'restart', clockAt(AT_MS + MINUTE + 1.4 * MINUTE, 1 / 10))).toBe(expected);
});

const since = (ms: number): Partial<Domain> => ({ createdAt: ago(40 * DAY), checkedAt: ago(ms) });
const unverified = (changes: Partial<Domain>) =>
  claimed({ certificate: certified({ status: 'PENDING_VALIDATION' }), ...changes });
const ready = (changes: Partial<Domain> = {}) => live({ status: 'ready', readyAt: ago(DAY), ...changes });

test.each<[what: string, claim: Domain, dueForMs: number | undefined]>([
  ['not before a day', live(since(DAY - 1)), undefined],
  ['after a day', live(since(DAY + MINUTE)), MINUTE],
  ['a day after it was added, where nobody ever did', live({ createdAt: ago(DAY), checkedAt: null }), 0],
  ['not while a worker may still come', live({ ...since(0), nextCheckAt: ago(4 * MINUTE) }), undefined],
  ['five minutes after one should have come', live({ ...since(0), nextCheckAt: ago(6 * MINUTE) }), MINUTE],
  ['by what is due for longest', live({ ...since(DAY + MINUTE), nextCheckAt: ago(HOUR) }), HOUR - 5 * MINUTE],
  ['not by a switch that is far', ready({ ...since(0), readyAt: ago(22 * DAY) }), undefined],
  ['to remind its owner of the switch', ready({ ...since(0), readyAt: ago(23 * DAY + 1) }), 1],
  [
    'not when its owner was reminded',
    ready({ ...since(0), readyAt: ago(23 * DAY + 1), remindedAt: ago(1) }),
    undefined,
  ],
  ['at the end of the switch', ready({ ...since(0), readyAt: ago(30 * DAY), remindedAt: ago(DAY) }), 0],
  ['not one that is not attached', claimed({ ...since(2 * DAY), status: 'failed' }), undefined],
  // ACM has given its certificate up.
  ['but one that nobody verifies for 72 hours', unverified({ createdAt: ago(72 * HOUR + 1) }), 1],
  ['not before', unverified({ createdAt: ago(72 * HOUR - 1) }), undefined],
  [
    'not by itself in a verification',
    unverified({ status: 'verifying', createdAt: ago(4 * DAY) }),
    undefined,
  ],
])('is looked at in full: %s', (_, claim, dueForMs) => {
  const sinceMs = dueSinceMs(claim, 'pass', clockAt(AT_MS));
  expect(sinceMs === undefined ? undefined : AT_MS - sinceMs).toBe(dueForMs);
});

test('a report has the earliest of all that is due, if anything is', () => {
  const clock = clockAt(AT_MS);
  expect(dueAtMs(live({ checkedAt: AT }), clock)).toBe(AT_MS + DAY);
  expect(dueAtMs(claimed({ status: 'verifying', rounds: 1, nextCheckAt: AT }), clock)).toBe(
    AT_MS + 15 * MINUTE,
  );
  expect(dueAtMs(claimed({ status: 'verifying', rounds: 1, nextCheckAt: AT, isResting: true }), clock)).toBe(
    AT_MS,
  );
  expect(dueAtMs(claimed({ certificate: certified() }), clock)).toBe(AT_MS + 30 * DAY);
  expect(dueAtMs(live({ status: 'stalled', reason: 'internal_error' }), clock)).toBeUndefined();
});
