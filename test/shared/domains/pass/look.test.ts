import { expect, test } from 'vitest';
import type { Clock } from '../../../../shared/domains/clock.ts';
import type { Domain } from '../../../../shared/domains/life/domain.ts';
import { isLookDue, isNews, isWorthALook, lookedAtMs } from '../../../../shared/domains/pass/look.ts';
import type { Observed, Reached } from '../../../../shared/domains/reach.ts';
import { AT_MS, ago, claimed, clockAt, DAY, HOUR, live, MINUTE } from '../claimed-domain.ts';

const NOW = clockAt(AT_MS);

const since = (ms: number): Partial<Domain> => ({ createdAt: ago(40 * DAY), checkedAt: ago(ms) });
const ready = (changes: Partial<Domain> = {}) => live({ status: 'ready', readyAt: ago(DAY), ...changes });
const troubled = (changes: Partial<Domain> = {}) =>
  live({ status: 'needs_attention', reason: 'caa_blocked', ...changes });

test('a domain was looked at last when somebody requested it, checked it in full, or added it', () => {
  const times = { createdAt: ago(3), checkedAt: null, lookedAt: undefined };
  expect(AT_MS - lookedAtMs(live(times))).toBe(3);
  expect(AT_MS - lookedAtMs(live({ ...times, checkedAt: ago(2) }))).toBe(2);
  expect(AT_MS - lookedAtMs(live({ ...times, checkedAt: ago(2), lookedAt: ago(1) }))).toBe(1);
});

test.each<[what: string, claim: Domain, isPrimary: boolean, isDue: boolean, now?: Clock]>([
  ['a ready domain at every sweep', ready(since(0)), false, true],
  ['a primary one at every sweep', live(since(0)), true, true],
  ['a live one not after 54 minutes', live(since(54 * MINUTE)), false, false],
  // The next sweep would be after the hour.
  ['a live one after 55 minutes', live(since(55 * MINUTE)), false, true],
  ['one with a trouble after 55 minutes', troubled(since(55 * MINUTE)), false, true],
  ['one that is not attached never', claimed(since(DAY)), false, false],
  ['a live one sooner where time is scaled', live(since(MINUTE)), false, true, clockAt(AT_MS, 1 / 60)],
])('is requested: %s', (_, claim, isPrimary, isDue, now = NOW) => {
  expect(isLookDue(claim, isPrimary, now)).toBe(isDue);
});

test.each<[what: string, claim: Domain, isWorth: boolean]>([
  ['a ready domain after an hour', ready(since(HOUR)), true],
  ['not before', ready(since(HOUR - 1)), false],
  ['a live one with a trouble after an hour', troubled(since(HOUR)), true],
  ['not one without', live(since(23 * HOUR)), false],
  ['not one that failed', claimed({ ...since(DAY), status: 'failed', reason: 'caa_blocked' }), false],
])('is looked at in full where there is time: %s', (_, claim, isWorth) => {
  expect(isWorthALook(claim, NOW)).toBe(isWorth);
});

const ARRIVED: Reached = { kind: 'reached' };
const AWAY: Reached = { kind: 'answer_foreign', why: 'Another server responds.' };
const PARTIAL: Reached = { ...AWAY, isPartial: true };
const UNCONFIRMED: Reached = { kind: 'unconfirmed', why: 'IPv6.' };
const UNKNOWN: Reached = { kind: 'unknown', why: 'Proofs are throttled.' };
const visitors = (reached: Reached, edge: Reached = ARRIVED): Observed => ({ edge, visitors: reached });
const away = troubled({ reason: 'https_answer_foreign' });

test.each<[what: string, claim: Domain, seen: Observed, isNews: boolean]>([
  ['visitors of a live domain as before', live(), visitors(ARRIVED), false],
  ['visitors who are gone', live(), visitors(AWAY), true],
  ['some who are', live(), visitors(PARTIAL), true],
  ['known to be gone', away, visitors(AWAY), false],
  ['back', away, visitors(ARRIVED), true],
  ['there in spite of a trouble', troubled(), visitors(ARRIVED), false],
  ['gone in spite of another trouble', troubled(), visitors(AWAY), true],
  ['not to be judged', live(), visitors(UNCONFIRMED), false],
  ['not to be judged behind a proxy', live({ isProxied: true }), visitors(UNKNOWN), false],
  ['elsewhere, of a ready domain', ready(), visitors(AWAY), false],
  ['arriving, of a ready domain', ready(), visitors(ARRIVED), true],
  ['some of them arriving', ready(), visitors(PARTIAL), true],
  ['its edge', ready(), visitors(AWAY, AWAY), true],
  ['its edge, known', ready({ reason: 'domain_name_gone' }), visitors(AWAY, AWAY), false],
])('is news: %s', (_, claim, seen, expected) => {
  expect(isNews(claim, seen)).toBe(expected);
});
