import { expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { isFlowLost, isOverdue, isUnreconciled } from '../../../../shared/domains/life/reconciliation.ts';
import { AT, AT_MS, certified, claimed, clockAt, live, MINUTE } from '../claimed-domain.ts';

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
])('isUnreconciled is %s, and so is isOverdue after three minutes: %s', (expected, _, domain) => {
  expect(isUnreconciled(domain)).toBe(expected);
  expect(isOverdue(domain, clockAt(AT_MS + 3 * MINUTE))).toBe(false);
  expect(isOverdue(domain, clockAt(AT_MS + 4 * MINUTE))).toBe(expected);
});

test('the time after which a domain is overdue shortens with the waits, but for ten seconds of work', () => {
  const limitMs = 10_000 + 170_000 / 10;
  expect(isOverdue(claimed(), clockAt(AT_MS + limitMs, 1 / 10))).toBe(false);
  expect(isOverdue(claimed(), clockAt(AT_MS + limitMs + 1, 1 / 10))).toBe(true);
});

test.each<[isLost: boolean, what: string, domain: Domain]>([
  [true, 'a verification', claimed({ status: 'verifying', nextCheckAt: AT })],
  [true, 'a verification that was never started', claimed({ status: 'issuing' })],
  [true, 'a removal', live({ status: 'removing', nextCheckAt: AT })],
  [false, 'a removal that stalled', live({ status: 'stalled', nextCheckAt: AT })],
  [false, 'a live domain', live({ nextCheckAt: AT })],
])('isFlowLost is %s 15 minutes after a step was due: %s', (expected, _, domain) => {
  expect(isFlowLost(domain, clockAt(AT_MS + 15 * MINUTE))).toBe(false);
  expect(isFlowLost(domain, clockAt(AT_MS + 15 * MINUTE + 1))).toBe(expected);
  // It shortens with the waits, but for a minute of work.
  expect(isFlowLost(domain, clockAt(AT_MS + MINUTE + 1.4 * MINUTE, 1 / 10))).toBe(false);
  expect(isFlowLost(domain, clockAt(AT_MS + MINUTE + 1.4 * MINUTE + 1, 1 / 10))).toBe(expected);
});
