import { expect, test } from 'vitest';
import { page } from '../../../../infra/local/aws-api/operation.ts';

const ITEMS = ['a', 'b', 'c', 'd'];

test('shows items from the first that is not before the start', () => {
  expect(page(ITEMS, 10, item => item < 'c').shown).toEqual(['c', 'd']);
  expect(page(ITEMS, 10, (_, index) => index < 3).shown).toEqual(['d']);
});

test('names the end of the page and the start of the next while a page follows', () => {
  expect(page(ITEMS, 3, () => false)).toEqual({ shown: ['a', 'b', 'c'], next: 'd', last: 'c' });
});

test('names neither on the last page', () => {
  expect(page(ITEMS, 4, () => false)).toEqual({ shown: ITEMS, next: undefined, last: undefined });
  expect(page([], 4, () => false)).toEqual({ shown: [], next: undefined, last: undefined });
});
