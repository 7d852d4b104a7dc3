import { expect, test } from 'vitest';
import { withoutTrailingDot } from '../../../../shared/domains/dns/dns-query.ts';

test.each([
  ['www.Example.COM.', 'www.example.com'],
  ['www.example.com', 'www.example.com'],
  ['.', ''],
  ['', ''],
])('withoutTrailingDot turns %j into %j', (name, expected) => {
  expect(withoutTrailingDot(name)).toBe(expected);
});
