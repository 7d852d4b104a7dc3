import { describe, expect, test } from 'vitest';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import {
  isNewRemoval,
  isOverdue,
  isUnreconciled,
  mayBeMapped,
} from '../../../../shared/domains/life/reconciliation.ts';
import { AT, AT_MS, certified, claimed, clockAt, live } from '../claimed-domain.ts';

const MINUTE = 60_000;

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
  [false, 'a removal that has taken everything down', live({ status: 'removing', takenDownAt: AT })],
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

test('a removal is new for half a minute', () => {
  const removal = claimed({ status: 'removing', phaseStartedAt: AT });
  expect(isNewRemoval(removal, AT_MS)).toBe(true);
  expect(isNewRemoval(removal, AT_MS + 29_999)).toBe(true);
  expect(isNewRemoval(removal, AT_MS + 30_000)).toBe(false);
});

describe('a domain that failed may be mapped', () => {
  const failed = (changes: Partial<Domain>) =>
    claimed({ status: 'failed', history: [{ at: AT, status: 'failed', what: 'No records.' }], ...changes });
  const gateway = { host: 'd-1.execute-api.us-east-1.amazonaws.com', hostedZoneId: 'Z1' };

  test.each<[string, Partial<Domain>]>([
    ['when it had a domain name at API Gateway', { gateway }],
    ['when it was being attached', { phase: 'attachment' }],
  ])('%s, for a day', (_, changes) => {
    expect(mayBeMapped(failed(changes), AT_MS)).toBe(true);
    expect(mayBeMapped(failed(changes), AT_MS + 24 * 60 * MINUTE - 1)).toBe(true);
    expect(mayBeMapped(failed(changes), AT_MS + 24 * 60 * MINUTE)).toBe(false);
  });

  test('unless it never got that far, or has another status', () => {
    expect(mayBeMapped(failed({}), AT_MS)).toBe(false);
    expect(mayBeMapped(failed({ gateway, status: 'verifying' }), AT_MS)).toBe(false);
  });
});
