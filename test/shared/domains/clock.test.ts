import { expect, test } from 'vitest';
import { functionClock, readableTime } from '../../../shared/domains/clock.ts';

test('the clock of a function has the scale of its environment', () => {
  const { scaled, unscaled } = functionClock(name => (name === 'WAIT_SCALE' ? '0.5' : undefined));
  expect([scaled(10), unscaled(10)]).toEqual([5, 20]);
  expect(functionClock(() => undefined).scaled(10)).toBe(10);
});

test('a time is readable in messages', () => {
  expect(readableTime('2026-11-04T13:05:59.123Z')).toBe('4 Nov 2026, 13:05 UTC');
});
