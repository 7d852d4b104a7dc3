import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Int64, int64FromText } from '../../shared/int64.ts';

const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });

test('Int64 is a bigint of 64 bits', () => {
  fc.assert(
    fc.property(fc.bigInt(), value => {
      expect(Int64.safeParse(value).success).toBe(BigInt.asIntN(64, value) === value);
    }),
  );
});

test.each([5, 5.5, '5', null, 2n ** 63n, -(2n ** 63n) - 1n])('%s is not an Int64: the range', value => {
  expect(Int64.safeParse(value).error?.issues).toMatchObject([
    { message: 'must be an integer from -9223372036854775808 to 9223372036854775807' },
  ]);
});

test.each([2n ** 63n - 1n, -(2n ** 63n)])('%d is the last int64 on its side', value => {
  expect(Int64.safeParse(value).success).toBe(true);
  expect(int64FromText(String(value))).toBe(value);
});

test('text in plain decimal digits is read exactly', () => {
  fc.assert(
    fc.property(int64, value => {
      expect(int64FromText(String(value))).toBe(value);
    }),
  );
});

test.each([
  '',
  ' 1',
  '1\n',
  '+1',
  '-0',
  '01',
  '-01',
  '1.0',
  '1e3',
  '0x1',
  '1n',
  '-',
  '٣',
  '1\0',
  'null',
  '9223372036854775808',
  '-9223372036854775809',
  '9'.repeat(10_000),
])('%j is not an int64', text => {
  expect(int64FromText(text)).toBeUndefined();
});
