import { expect, test } from 'vitest';
import { dueTime, exactTime, relativeTime } from '../../../infra/operator/readable-times.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

test.for([
  ['2026-06-15T11:59:50Z', 'just now'],
  ['2026-06-15T12:00:10Z', 'in a moment'],
  ['2026-06-15T11:59:00Z', '1 minute ago'],
  ['2026-06-15T11:15:00Z', '45 minutes ago'],
  ['2026-06-15T09:00:00Z', '3 hours ago'],
  ['2026-06-16T11:59:59Z', 'in 1 day'],
  ['2026-06-12T12:00:00Z', '3 days ago'],
  ['2026-07-05T12:00:00Z', 'in 20 days'],
  ['2026-01-01T00:00:00Z', '1 Jan 2026'],
  ['2027-01-31T23:59:59Z', '31 Jan 2027'],
  ['unknown', 'unknown'],
] as const)('%s is %s', ([time, text]) => expect(relativeTime(time, NOW)).toBe(text));

test('an exact time has date, hours and minutes in UTC', () =>
  expect(exactTime('2027-01-31T23:59:59.000Z')).toBe('2027-01-31 23:59 UTC'));

test('a check that is overdue by seconds is due any moment', () => {
  expect(dueTime('2026-06-15T11:59:55Z', NOW)).toBe('any moment');
  expect(dueTime('2026-06-15T12:05:00Z', NOW)).toBe('in 5 minutes');
});
