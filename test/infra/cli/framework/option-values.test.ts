import { expect, test } from 'vitest';
import { durationMs, readDurationMs, readExpiry } from '../../../../infra/cli/framework/option-values.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');

test.for([
  ['45s', 45_000],
  ['30m', 1_800_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  ['0h', 0],
] as const)('reads the duration %s', ([text, ms]) => expect(durationMs(text)).toBe(ms));

test.for(['', '7', 'd', '-1d', '1.5h', '1w', '7 d', '7D', '1d2h', '99999999d'])(
  '%j is not a duration',
  text => expect(durationMs(text)).toBeUndefined(),
);

test('reads the value of an option in milliseconds', () => {
  expect(readDurationMs('--timeout', '10m')).toBe(600_000);
  expect(() => readDurationMs('--timeout', 'soon')).toThrow(
    '--timeout takes a duration such as 30s, 10m or 2h',
  );
});

test.for([
  ['90d', '2026-09-13T12:00:00.000Z'],
  ['2027-01-31', '2027-01-31T23:59:59.000Z'],
  ['2026-06-15', '2026-06-15T23:59:59.000Z'],
  ['2027-01-31T10:00:00+02:00', '2027-01-31T08:00:00.000Z'],
] as const)('reads the expiry %s', ([text, at]) => expect(readExpiry(text, NOW)).toBe(at));

test.for(['2027-02-31', '2027-13-01', '31.1.2027', '2027-01-31T10:00', 'tomorrow'])(
  'refuses the expiry %s',
  text => expect(() => readExpiry(text, NOW)).toThrow('--expires takes a date'),
);

test.for(['2026-06-14', '0d'])('refuses the expiry %s, which is past', text =>
  expect(() => readExpiry(text, NOW)).toThrow('must be in the future'),
);

test('a repeated request has the expiry of the first one, which may be past, and no duration', () => {
  expect(readExpiry('2026-06-14', NOW, true)).toBe('2026-06-14T23:59:59.000Z');
  expect(() => readExpiry('30m', NOW, true)).toThrow('not "30m", which counts from now');
});
