import { expect, test } from 'vitest';
import { Limit } from '../../shared/paging.ts';

test('limit is 1 to 100', () => {
  for (let limit = 1; limit <= 100; limit += 1) expect(Limit.parse(String(limit))).toBe(limit);
});

test('limit is 20 when it is not given', () => {
  expect(Limit.parse(undefined)).toBe(20);
});

test.each([
  '0',
  '101',
  '-1',
  '1000',
  '',
  ' ',
  ' 5',
  '5 ',
  '5.0',
  '1e1',
  '05',
  '+5',
  '0x5',
  '٥',
  '5\n',
  'abc',
  'null',
])('limit is not %j', text => {
  expect(Limit.safeParse(text)).toMatchObject({
    success: false,
    error: { issues: [{ message: 'must be an integer from 1 to 100' }] },
  });
});
