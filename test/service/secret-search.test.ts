import { expect, test } from 'vitest';
import { SecretSearch } from './secret-search.ts';

test.each([
  ['a key', '{"key":"pet_test_0123456789abcdefghijklmnopqrstuvwxyz"}', 17],
  ['twelve characters of it', 'xx456789abcdefxx', 2],
  ['neither its prefix nor its hint', 'pet_test_…wxyz pet_test_ 456789abcde-fghijklmnop', undefined],
])('finds %s', (_, text, at) => {
  const search = new SecretSearch();
  search.add('pet_test_0123456789abcdefghijklmnopqrstuvwxyz');
  expect(search.find(text)).toBe(at);
});
